/// What went wrong between Vitrine and its database; holds neither a bound value nor a password.
package struct PostgresError: Error, Sendable, Equatable {
    /// Where it went wrong, open to those that this file does not name.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// No connection could be made, or the server refused it.
        package static let connectFailed = Code(rawValue: "connect_failed")
        package static let connectionLost = Code(rawValue: "connection_lost")
        package static let connectionClosed = Code(rawValue: "connection_closed")
        /// The server answered with an error, which `sqlState` names.
        package static let refused = Code(rawValue: "refused")
        /// The server does not know a prepared statement any more, or the types of its columns have changed. It is prepared anew next time.
        package static let staleStatement = Code(rawValue: "stale_statement")
        package static let deadlinePassed = Code(rawValue: "deadline_passed")
        package static let cancelled = Code(rawValue: "cancelled")
        /// So many wait for a connection already that one more is turned away at once.
        package static let overloaded = Code(rawValue: "overloaded")
        /// The pool lends no connection any more.
        package static let shuttingDown = Code(rawValue: "shutting_down")
        /// COMMIT was sent and not confirmed: what the transaction did is done or not, or is on no standby.
        package static let outcomeUnknown = Code(rawValue: "outcome_unknown")
        /// The server rolled back where COMMIT was asked for, as a statement before it had failed.
        package static let rolledBack = Code(rawValue: "rolled_back")
        /// A parameter holds U+0000 or there are more than 65,535 of them; nothing was sent.
        package static let invalidParameter = Code(rawValue: "invalid_parameter")
        /// A row does not have the columns that were asked for.
        package static let undecodable = Code(rawValue: "undecodable")
        /// A call that the state of the connection does not allow.
        package static let misuse = Code(rawValue: "misuse")
    }

    package var code: Code
    /// For an operator.
    package var message: String
    /// The name of the query.
    package var query: String?
    /// Which of the queries of one round trip it was; from 0.
    package var place: Int?
    /// Of a script; from 1.
    package var line: Int?
    package var sqlState: SQLState?
    /// What the server added, with values masked.
    package var detail: String?
    package var constraint: String?
    package var table: String?
    package var column: String?

    package init(_ code: Code, _ message: String, query: String? = nil, sqlState: SQLState? = nil) {
        self.code = code
        self.message = message
        self.query = query
        self.sqlState = sqlState
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        let place = query.map { "query \($0)\(line.map { ", line \($0)" } ?? ""): " } ?? ""
        let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
        return "\(place)\(message)\(state)\(detail.map { ": \($0)" } ?? "")"
    }
}

internal import EventLoop

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
    package var message: String
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

extension PostgresError {
    /// What the caller can do about it.
    package enum Classification: Sendable {
        /// The values are at fault: another request with the same ones fails as well.
        case badInput
        /// Another row stands against it.
        case conflict
        /// The whole transaction may succeed when it is run again.
        case retry
        /// The database cannot answer now.
        case unavailable
        /// The program is at fault.
        case bug
    }

    package var classification: Classification {
        switch code {
        case .invalidParameter: .badInput
        case .undecodable, .misuse: .bug
        case .staleStatement: .retry
        case .refused, .rolledBack: sqlState?.classification ?? .bug
        default: .unavailable
        }
    }
}

extension SQLState {
    fileprivate var classification: PostgresError.Classification {
        switch rawValue {
        case "23503", "23505", "23P01": return .conflict
        case "40001", "40P01": return .retry
        // Cancelled, a lock that did not come in time, a server that only reads (after a failover).
        case "57014", "55P03", "25006", "25P03", "40003": return .unavailable
        default: break
        }
        return switch category {
        case "22", "23", "54": .badInput
        case "08", "28", "3D", "53", "57", "58": .unavailable
        default: .bug
        }
    }
}

/// The server's five characters for what went wrong, open to those that this file does not name.
package struct SQLState: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let uniqueViolation = SQLState(rawValue: "23505")
    package static let foreignKeyViolation = SQLState(rawValue: "23503")
    package static let exclusionViolation = SQLState(rawValue: "23P01")
    package static let serializationFailure = SQLState(rawValue: "40001")
    package static let deadlockDetected = SQLState(rawValue: "40P01")
    package static let queryCanceled = SQLState(rawValue: "57014")
    package static let lockNotAvailable = SQLState(rawValue: "55P03")
    package static let tooManyConnections = SQLState(rawValue: "53300")

    package var description: String { rawValue }

    /// The first two characters.
    var category: String { String(rawValue.prefix(2)) }
}

extension PostgresError {
    /// The SQLSTATE is taken out of libpq's text, `… failed: FATAL:  53300: sorry, too many clients already`.
    init(connectFailure text: String) {
        var parts = text.split(separator: ":  ", maxSplits: 1).map(String.init)
        let state = parts.count == 2 ? SQLState(startOf: parts[1]) : nil
        if state != nil { parts[1].removeFirst(7) }
        self.init(.connectFailed, parts.joined(separator: ": "), sqlState: state)
    }

    init(_ error: EventLoopError, query: String?) {
        let code: Code =
            switch error.code {
            case .deadlinePassed: .deadlinePassed
            case .cancelled: .cancelled
            case .descriptorClosed, .loopStopped, .system: .connectionLost
            }
        self.init(code, error.description, query: query)
    }
}

extension SQLState {
    /// Five capitals or digits with a colon and a space behind them.
    fileprivate init?(startOf text: String) {
        let start = Array(text.utf8.prefix(7))
        let isCode = start.prefix(5).allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard start.count == 7, isCode, start[5] == UInt8(ascii: ":"), start[6] == UInt8(ascii: " ") else { return nil }
        self.init(rawValue: String(decoding: start[..<5], as: UTF8.self))
    }
}

extension PostgresError {
    /// With what the last attempt to connect said, where that is the reason.
    init(_ failure: PoolFailure, lastFailure: PostgresError?) {
        switch failure {
        case .deadlinePassed: self.init(.deadlinePassed, failure.description)
        case .cancelled: self.init(.cancelled, failure.description)
        case .queueFull: self.init(.overloaded, failure.description)
        case .shuttingDown: self.init(.shuttingDown, failure.description)
        case .serverAway, .refused:
            let reason = lastFailure.map { ": \($0.message)" } ?? ""
            self.init(.connectFailed, failure.description + reason, sqlState: lastFailure?.sqlState)
        }
    }
}

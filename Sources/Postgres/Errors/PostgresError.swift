internal import EventLoop

/// An error between Vitrine and its database. It contains neither a bound value nor a password.
package struct PostgresError: Error, Sendable, Equatable {
    /// The kind of error, open to codes that this file does not name.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The connection failed or the server rejected it.
        package static let connectFailed = Code(rawValue: "connect_failed")
        package static let connectionLost = Code(rawValue: "connection_lost")
        package static let connectionClosed = Code(rawValue: "connection_closed")
        /// The server returned an error, which `sqlState` names.
        package static let refused = Code(rawValue: "refused")
        /// The server no longer knows a prepared statement, or its column types have changed. The next call prepares it
        /// again.
        package static let staleStatement = Code(rawValue: "stale_statement")
        package static let deadlinePassed = Code(rawValue: "deadline_passed")
        package static let cancelled = Code(rawValue: "cancelled")
        /// Too many tasks already wait for a connection.
        package static let overloaded = Code(rawValue: "overloaded")
        /// The pool no longer leases connections.
        package static let shuttingDown = Code(rawValue: "shutting_down")
        /// COMMIT was sent and not confirmed. The transaction may be committed or not, or missing on the standby.
        package static let outcomeUnknown = Code(rawValue: "outcome_unknown")
        /// The server rolled back instead of committing, because an earlier statement had failed.
        package static let rolledBack = Code(rawValue: "rolled_back")
        /// A parameter contains U+0000, or there are more than 65,535. Nothing was sent.
        package static let invalidParameter = Code(rawValue: "invalid_parameter")
        /// A row does not have the requested columns.
        package static let undecodable = Code(rawValue: "undecodable")
        /// The state of the connection does not allow the call.
        package static let misuse = Code(rawValue: "misuse")
    }

    package var code: Code
    package var message: String
    package var query: String?
    /// The zero-based index of the query in its round trip.
    package var position: Int?
    /// The line of a script, from 1.
    package var line: Int?
    package var sqlState: SQLState?
    /// The server's detail message, with values masked.
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
        let location = query.map { "query \($0)\(line.map { ", line \($0)" } ?? ""): " } ?? ""
        let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
        return "\(location)\(message)\(state)\(detail.map { ": \($0)" } ?? "")"
    }
}

extension PostgresError {
    /// The remedy that a caller has for an error.
    package enum Classification: Sendable {
        /// The values are invalid. A request with the same values fails again.
        case badInput
        /// Another row conflicts.
        case conflict
        /// The whole transaction may succeed if it is run again.
        case retry
        /// The database is currently unavailable.
        case unavailable
        /// The program is wrong.
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
        // Canceled, a lock timeout, or a read-only server after a failover.
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

/// The server's five-character error code, open to codes that this file does not name.
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

    /// The first two characters, which name the error class.
    var category: String { String(rawValue.prefix(2)) }
}

extension PostgresError {
    /// Extracts the SQLSTATE from libpq's text, such as `… failed: FATAL:  53300: sorry, too many clients already`.
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
    /// Reads five uppercase letters or digits, followed by a colon and a space.
    fileprivate init?(startOf text: String) {
        let start = Array(text.utf8.prefix(7))
        let isCode = start.prefix(5).allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard start.count == 7, isCode, start[5] == UInt8(ascii: ":"), start[6] == UInt8(ascii: " ") else { return nil }
        self.init(rawValue: String(decoding: start[..<5], as: UTF8.self))
    }
}

extension PostgresError {
    /// Adds the message of the last connection attempt if that is the reason.
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

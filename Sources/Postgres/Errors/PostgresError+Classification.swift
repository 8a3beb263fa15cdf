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

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

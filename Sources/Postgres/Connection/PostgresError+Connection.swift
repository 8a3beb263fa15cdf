internal import EventLoop

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

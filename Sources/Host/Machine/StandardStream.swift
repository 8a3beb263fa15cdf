internal import Glibc

package enum StandardStream: Int32, Sendable {
    case input, output, errors

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The width of the stream's terminal in columns. nil if it is not a terminal.
    package var width: Int? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Opens placeholders for standard streams that are closed, so that no other file gets their numbers. Using a
    /// placeholder fails.
    package static func fillClosed() {
        for stream in [StandardStream.input, .output, .errors] where fcntl(stream.rawValue, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all bytes, or stops without an error if the reader closes the stream.
    package func write(_ bytes: [UInt8]) throws(HostError) { _ = try deliver(bytes) }

    /// Writes all bytes. Returns false if the reader closes the stream.
    package func deliver(_ bytes: [UInt8]) throws(HostError) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return retryingOnInterrupt { unsafe Glibc.write(rawValue, rest.baseAddress, rest.count) }
            }
            guard count >= 0 else {
                let error = HostError(errnoOf: "write to", self == .output ? "standard output" : "standard error")
                if error.code == .brokenPipe { return false }
                throw error
            }
            written += count
        }
        return true
    }

    package func write(_ text: String) throws(HostError) { try write(Array(text.utf8)) }

    /// Returns the next line from standard input without its end, or nil at the end of the stream. `signals` end the
    /// process during the wait.
    package static func typedLine(letting signals: [Signal]) -> String? {
        let line = Signal.letting(signals) { Swift.readLine(strippingNewline: true) }
        return line
    }
}

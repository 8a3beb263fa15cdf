internal import Glibc

package enum StandardStream: Int32, Sendable {
    case input, output, errors

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal behind it, or nil where there is none.
    package var width: Int? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Fills the places of streams that the process was started without, so that no file is opened in one of them; using them fails.
    package static func fillClosed() {
        for stream in [StandardStream.input, .output, .errors] where fcntl(stream.rawValue, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes it all, or as much as a reader takes who then goes.
    package func write(_ bytes: [UInt8]) throws(HostError) { _ = try deliver(bytes) }

    /// As `write`; false where the reader has gone.
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

    /// The next line that a person types, without its end; nil where the stream is at its end. A signal ends the process meanwhile.
    package static func typedLine(letting signals: [Signal]) -> String? {
        let line = Signal.letting(signals) { Swift.readLine(strippingNewline: true) }
        return line
    }
}

internal import Glibc

/// One of the streams that a process is born with.
package enum StandardStream: Int32, Sendable {
    case input, output, errors

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal behind it, or nil where there is none.
    package var width: Int? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes it all; what a reader who has gone does not take is dropped, for there is nobody left to tell.
    package func write(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return retryingOnInterrupt { unsafe Glibc.write(rawValue, rest.baseAddress, rest.count) }
            }
            if count <= 0 { return }
            written += count
        }
    }

    package func write(_ text: String) { write(Array(text.utf8)) }
}

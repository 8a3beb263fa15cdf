internal import Glibc

/// An open file that closes itself at the end of its scope.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Opens a file; it is never inherited by a child process unless the child's `Streams` name it.
    package init(opening path: String, _ access: Access) throws(HostError) {
        let flags: Int32 =
            switch access {
            case .read: O_RDONLY
            case .append: O_WRONLY | O_CREAT | O_APPEND
            case .create: O_WRONLY | O_CREAT | O_EXCL
            case .lock: O_RDWR | O_CREAT
            }
        let number = retryingOnInterrupt { unsafe open(path, flags | O_CLOEXEC, 0o600) }
        guard number >= 0 else { throw HostError(errnoOf: "open", path) }
        self.number = number
    }

    /// How a file is opened; what is created is readable by its owner alone.
    package enum Access: Sendable {
        case read
        case append
        /// Fails where the file exists.
        case create
        case lock
    }

    /// Reads to the end, refusing more than `limit` bytes.
    package borrowing func readAll(limit: Int, subject: String) throws(HostError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                retryingOnInterrupt { unsafe read(number, buffer.baseAddress, buffer.count) }
            }
            if count < 0 { throw HostError(errnoOf: "read", subject) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { throw HostError(.fileTooLarge, "read", subject) }
        }
    }

    /// Writes every byte or throws.
    package borrowing func write(_ bytes: [UInt8], subject: String) throws(HostError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return retryingOnInterrupt { unsafe Glibc.write(number, rest.baseAddress, rest.count) }
            }
            if count < 0 { throw HostError(errnoOf: "write", subject) }
            written += count
        }
    }
}

/// Calls again for as long as a signal cut the call short.
func retryingOnInterrupt<Result: BinaryInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

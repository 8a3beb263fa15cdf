internal import Glibc

/// An open file that closes itself at the end of its scope.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Opens a file. A child process inherits it only if the launch passes it as a stream.
    package init(opening path: String, _ access: Access) throws(HostError) {
        let flags: Int32 =
            switch access {
            case .read: O_RDONLY
            case .readAndWrite: O_RDWR
            case .append: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
            case .create: O_WRONLY | O_CREAT | O_EXCL
            case .replace: O_WRONLY | O_CREAT | O_TRUNC
            case .lock: O_RDWR | O_CREAT | O_NOFOLLOW
            }
        let number = retryingOnInterrupt { unsafe open(path, flags | O_CLOEXEC, 0o600) }
        guard number >= 0 else { throw HostError(errnoOf: "open", path) }
        if access == .append || access == .lock, !Self.isPlainFile(number) {
            close(number)
            throw HostError(.alreadyExists, "open", path)
        }
        self.number = number
    }

    /// Duplicates a stream of the process at its current offset. This also works for a socket, which cannot be reopened
    /// by path.
    package init(sharing stream: StandardStream) throws(HostError) {
        let number = fcntl(stream.rawValue, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw HostError(errnoOf: "read", "standard input") }
        self.number = number
    }

    /// The mode in which a file is opened. A created file is readable by its owner only.
    ///
    /// Modes that write to an existing file reject links and files with several names, because root writes to folders
    /// of other users.
    package enum Access: Sendable {
        case read
        case readAndWrite
        case append
        /// Fails if the file exists.
        case create
        /// Truncates an existing file, which may be a device or a link.
        case replace
        case lock
    }

    private static func isPlainFile(_ number: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }

    /// Reads to the end. Throws if there are more than `limit` bytes.
    package borrowing func readAll(limit: Int, subject: String) throws(HostError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try readSome(subject: subject)
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit { throw HostError(.fileTooLarge, "read", subject) }
        }
    }

    /// Reads the available bytes, at most 64 KiB. Returns an empty slice at the end.
    package borrowing func readSome(subject: String) throws(HostError) -> ArraySlice<UInt8> {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            retryingOnInterrupt { unsafe read(number, buffer.baseAddress, buffer.count) }
        }
        guard count >= 0 else { throw HostError(errnoOf: "read", subject) }
        return chunk[..<count]
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

/// Repeats a call while signals interrupt it.
func retryingOnInterrupt<Result: BinaryInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

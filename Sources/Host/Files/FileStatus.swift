internal import Glibc

package struct FileStatus: Sendable, Equatable {
    package let isDirectory: Bool
    /// Whether the file is neither a folder nor a link, a pipe or a device.
    package let isRegular: Bool
    package let identity: Identity
    package let owner: UInt32
    package let size: Int
    /// The nine permission bits.
    package let mode: UInt32

    /// The identity of a file, the same for all its names.
    package struct Identity: Sendable, Hashable {
        let device: UInt64
        let number: UInt64
    }

    package init(of file: borrowing Descriptor, subject: String) throws(HostError) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw HostError(errnoOf: "read the status of", subject) }
        self.init(status)
    }

    /// Returns nil if the file does not exist or cannot be reached.
    package init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns the status of a link itself, or nil if it does not exist or cannot be reached.
    package init?(ofLink path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        owner = status.st_uid
        size = Int(status.st_size)
        mode = status.st_mode & 0o777
    }
}

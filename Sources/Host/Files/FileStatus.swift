internal import Glibc

/// What the system says of a file: its kind, owner and permissions.
package struct FileStatus: Sendable, Equatable {
    package let isDirectory: Bool
    package let owner: UInt32
    package let size: Int
    /// The nine permission bits.
    package let mode: UInt32

    /// Nil where there is no such file, or no way to it.
    package init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// As `init(following:)`, but of a link itself.
    package init?(ofLink path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        owner = status.st_uid
        size = Int(status.st_size)
        mode = status.st_mode & 0o777
    }
}

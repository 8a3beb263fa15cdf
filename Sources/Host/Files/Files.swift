internal import Glibc

/// Operations on files and folders. Each error contains the path.
package enum Files {
    /// Reads a whole file of at most `limit` bytes.
    package static func read(_ path: String, limit: Int = 16 << 20) throws(HostError) -> [UInt8] {
        try Descriptor(opening: path, .read).readAll(limit: limit, subject: path)
    }

    /// Reads a path that a user entered, in which `-` is standard input.
    package static func read(typed path: String, limit: Int) throws(HostError) -> [UInt8] {
        guard path == "-" else { return try read(path, limit: limit) }
        return try Descriptor(sharing: .input).readAll(limit: limit, subject: "standard input")
    }

    /// Reads at most `count` bytes from the end of a file.
    package static func readEnd(of path: String, bytes count: Int) throws(HostError) -> [UInt8] {
        let file = try Descriptor(opening: path, .read)
        let size = FileStatus(following: path)?.size ?? 0
        if size > count, lseek(file.number, off_t(size - count), SEEK_SET) < 0 { throw HostError(errnoOf: "read", path) }
        // The file may grow during the read.
        return try file.readAll(limit: count + (1 << 20), subject: path)
    }

    /// Creates a folder and its missing parents, regardless of the umask. Only its owner can access the folder itself.
    package static func makeDirectory(_ path: String) throws(HostError) {
        try makeDirectory(path, mode: 0o700)
    }

    private static func makeDirectory(_ path: String, mode: mode_t) throws(HostError) {
        if FileStatus(following: path)?.isDirectory == true { return }
        let parent = Path.parent(of: path)
        if parent != path, FileStatus(following: parent) == nil { try makeDirectory(parent, mode: 0o755) }
        guard unsafe mkdir(path, mode) == 0 else {
            let error = HostError(errnoOf: "create the folder", path)
            if error.code == .alreadyExists, FileStatus(following: path)?.isDirectory == true { return }
            throw error
        }
        guard unsafe chmod(path, mode) == 0 else { throw HostError(errnoOf: "set the mode of the folder", path) }
    }

    /// Removes a file. A missing file is not an error.
    package static func remove(_ path: String) throws(HostError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw HostError(errnoOf: "remove", path) }
    }

    /// Returns the names in a folder, sorted by their bytes.
    package static func names(in path: String) throws(HostError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw HostError(errnoOf: "list", path) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Replaces or creates a file in one step, so that no reader sees a partial file. An existing file keeps its mode,
    /// and a link still points to it.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(HostError) {
        let previous = FileStatus(following: path)
        let target = previous == nil ? path : try Path.resolved(path)
        let draft = "\(target).\(SystemInfo.processID).part"
        try remove(draft)
        try Descriptor(opening: draft, .create).write(bytes, subject: draft)
        if let previous, unsafe chmod(draft, mode_t(previous.mode)) != 0 { throw HostError(errnoOf: "set the mode of", draft) }
        try synchronize(draft)
        try rename(draft, to: target)
    }

    package static func rename(_ source: String, to target: String) throws(HostError) {
        guard unsafe Glibc.rename(source, target) == 0 else { throw HostError(errnoOf: "rename \(source) to", target) }
    }

    /// Changes the owner of a folder without following links.
    package static func give(folder path: String, to user: User) throws(HostError) {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw HostError(errnoOf: "open the folder", path) }
        let folder = Descriptor(owning: number)
        guard fchown(folder.number, user.id, user.group) == 0 else { throw HostError(errnoOf: "make \(user.name) the owner of", path) }
    }

    package static func removeEmptyDirectory(_ path: String) throws(HostError) {
        guard unsafe rmdir(path) == 0 else { throw HostError(errnoOf: "remove the folder", path) }
    }

    package static func makeLink(at path: String, to target: String) throws(HostError) {
        guard unsafe symlink(target, path) == 0 else { throw HostError(errnoOf: "create the link", path) }
    }

    /// Flushes a file or a folder to disk, so that it survives a power failure.
    package static func synchronize(_ path: String) throws(HostError) {
        let folder = try Descriptor(opening: path, .read)
        guard fsync(folder.number) == 0 else { throw HostError(errnoOf: "synchronize", path) }
    }

    /// Returns the bytes that an unprivileged user can still write to the disk of `path`, or nil if they are unknown.
    package static func freeSpace(at path: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : Int(exactly: bytes)
    }

    /// Returns whether the real user of this process has a permission.
    package static func may(_ access: Permission, _ path: String) -> Bool {
        switch access {
        case .read: unsafe Glibc.access(path, R_OK) == 0
        case .write: unsafe Glibc.access(path, W_OK) == 0
        case .execute: unsafe Glibc.access(path, X_OK) == 0
        }
    }

    package enum Permission: Sendable { case read, write, execute }
}

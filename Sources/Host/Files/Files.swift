internal import Glibc

/// What Vitrine does with files and folders, each step failing with the path it failed on.
package enum Files {
    /// Reads a whole file of at most `limit` bytes.
    package static func read(_ path: String, limit: Int = 16 << 20) throws(HostError) -> [UInt8] {
        try Descriptor(opening: path, .read).readAll(limit: limit, subject: path)
    }

    /// As `read`, of a path that somebody typed: `-` is standard input.
    package static func read(typed path: String, limit: Int) throws(HostError) -> [UInt8] {
        guard path == "-" else { return try read(path, limit: limit) }
        return try Descriptor(sharing: .input).readAll(limit: limit, subject: "standard input")
    }

    /// The last bytes of a file, at most as many as asked for.
    package static func readEnd(of path: String, bytes count: Int) throws(HostError) -> [UInt8] {
        let file = try Descriptor(opening: path, .read)
        let size = FileStatus(following: path)?.size ?? 0
        if size > count, lseek(file.number, off_t(size - count), SEEK_SET) < 0 { throw HostError(errnoOf: "read", path) }
        // It may grow meanwhile.
        return try file.readAll(limit: count + (1 << 20), subject: path)
    }

    /// Makes a folder and the missing ones above it, whatever the process's mask; the folder itself is its owner's alone.
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

    /// Removes a file; a missing one is no mistake.
    package static func remove(_ path: String) throws(HostError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw HostError(errnoOf: "remove", path) }
    }

    /// The names in a folder, sorted by their bytes.
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

    /// Puts other bytes in the place of a file, or makes it, in one step: nobody sees half of it. A file that is there keeps its mode, and a link
    /// still leads to it.
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

    /// Gives a folder, and nothing that a link leads to, to another user.
    package static func give(folder path: String, to user: User) throws(HostError) {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw HostError(errnoOf: "open the folder", path) }
        let folder = Descriptor(owning: number)
        guard fchown(folder.number, user.id, user.group) == 0 else { throw HostError(errnoOf: "give to \(user.name) the folder", path) }
    }

    package static func removeEmptyDirectory(_ path: String) throws(HostError) {
        guard unsafe rmdir(path) == 0 else { throw HostError(errnoOf: "remove the folder", path) }
    }

    package static func makeLink(at path: String, to target: String) throws(HostError) {
        guard unsafe symlink(target, path) == 0 else { throw HostError(errnoOf: "create the link", path) }
    }

    /// Makes what a folder lists survive a power cut.
    package static func synchronize(_ path: String) throws(HostError) {
        let folder = try Descriptor(opening: path, .read)
        guard fsync(folder.number) == 0 else { throw HostError(errnoOf: "synchronize", path) }
    }

    /// The bytes that an unprivileged user can still write to the disk of `path`, or nil where the system does not say.
    package static func freeSpace(at path: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : Int(exactly: bytes)
    }

    /// Whether this process may do to a file what `access` says, by its real user.
    package static func may(_ access: Permission, _ path: String) -> Bool {
        switch access {
        case .read: unsafe Glibc.access(path, R_OK) == 0
        case .write: unsafe Glibc.access(path, W_OK) == 0
        case .execute: unsafe Glibc.access(path, X_OK) == 0
        }
    }

    package enum Permission: Sendable { case read, write, execute }
}

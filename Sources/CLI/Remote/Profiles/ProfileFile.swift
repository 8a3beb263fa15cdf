internal import Arguments
import Host
internal import JSON

/// The file with the profiles. Only its owner can write it, because it determines where tokens are sent.
struct ProfileFile {
    let folder: String

    var path: String { Path.join(folder, "profiles.json") }

    /// Creates the file of the current user. Returns nil if the environment does not name its folder.
    init?(_ environment: [String: String]) {
        if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
            folder = Path.join(configuration, "vitrine")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            folder = Path.join(home, ".config/vitrine")
        } else {
            return nil
        }
    }

    /// Returns no profiles if the file does not exist.
    func read() throws -> ProfileStore {
        guard FileStatus(following: path) != nil else { return ProfileStore() }
        return try Self.decode(path) { document throws(JSONError) in try document.decode(ProfileStore.self) }
    }

    /// Changes the file under a lock, so that programs wait for each other.
    @discardableResult
    func update<Result>(_ change: (inout ProfileStore) throws -> Result) throws -> Result {
        try Files.makeDirectory(folder)
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let before = try read()
        var book = before
        let response = try change(&book)
        if book != before { try Self.write(try book.json(.pretty) + [0x0A], to: path) }
        return response
    }

    func tokenPath(_ name: ProfileName) -> String { Path.join(folder, "\(name).token") }

    private func lock() throws -> FileLock {
        for _ in 0..<250 {
            do throws(HostError) { return try FileLock(path: "\(path).lock") } catch {
                guard error.code == .wouldBlock else { throw error }
                _ = Signal.next(of: [], within: .milliseconds(20))
            }
        }
        return try FileLock(path: "\(path).lock")
    }

    /// Writes a file atomically, readable only by its owner.
    static func write(_ bytes: [UInt8], to path: String) throws(HostError) {
        let draft = "\(path).new"
        try Files.remove(draft)
        try Descriptor(opening: draft, .create).write(bytes, subject: draft)
        try Files.synchronize(draft)
        try Files.rename(draft, to: path)
        try Files.synchronize(Path.parent(of: path))
    }

    /// Reads a file that only this user or root can have written.
    static func decode<Value>(_ path: String, _ decode: (JSONDocument) throws(JSONError) -> Value) throws -> Value {
        let file = try Descriptor(opening: path, .read)
        let status = try FileStatus(of: file, subject: path)
        guard [0, User.current.id].contains(status.owner), status.mode & 0o022 == 0 else {
            throw RemoteError(
                message: "other users can write \(path), which decides where tokens are sent",
                advice: "check its content, then run chown \(User.current.name) and chmod 600 on it", exitCode: .notAllowed)
        }
        let bytes = try file.readAll(limit: 1 << 20, subject: path)
        do throws(JSONError) { return try decode(try JSONDocument(parsing: bytes, limits: JSONLimits(bytes: 1 << 20))) } catch {
            throw RemoteError(message: "invalid profiles in \(path)", advice: "", exitCode: .invalid, details: ["\(error)"])
        }
    }
}

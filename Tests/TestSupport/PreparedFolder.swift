import Glibc
import Host
import Synchronization

/// Folders that take seconds to create. The first test that needs one creates it, and every test gets a copy.
///
/// The processes of `scripts/test` share the folders in `TEST_FOLDERS`. Any other process creates its own folders and removes them.
package enum PreparedFolder {
    package struct NotCopied: Error { let reason: String }

    private static let directory = Result { try SystemInfo.environment["TEST_FOLDERS"] ?? ownFolder.get().path }
    private static let ownFolder = Result { try makeOwnFolder() }
    /// The folders that this process has requested. A failure is kept, because repeating a failed preparation for each test would take
    /// hours.
    private static let made = Mutex<[String: Result<Void, any Error>]>([:])

    /// Copies the folder of this name. If it does not exist, `make` creates a folder anywhere and passes it to its argument.
    package static func copy(_ name: String, to target: String, make: (_ keep: (String) throws -> Void) throws -> Void) throws {
        let path = Path.join(try directory.get(), name)
        try made.withLock { made in
            let result = made[name] ?? Result { try makeOnce(path, make) }
            made[name] = result
            return result
        }.get()
        try copy(path, to: target)
    }

    private static func makeOnce(_ path: String, _ make: (_ keep: (String) throws -> Void) throws -> Void) throws {
        try withExtendedLifetime(try lock("\(path).lock")) {
            guard FileStatus(ofLink: path) == nil else { return }
            try make { folder in
                let unfinished = "\(path)-unfinished"
                if FileStatus(ofLink: unfinished) != nil { try TemporaryFolder.remove(unfinished) }
                try copy(folder, to: unfinished)
                try Files.rename(unfinished, to: path)
            }
        }
    }

    private static func copy(_ source: String, to target: String) throws {
        let (text, status) = try ProcessLaunch("cp", ["--archive", "--no-target-directory", source, target]).output(within: .seconds(60))
        guard status.isSuccess else { throw NotCopied(reason: text) }
    }

    /// Waits while another process creates the folder. The kernel releases the lock if that process ends.
    private static func lock(_ path: String) throws(HostError) -> FileLock {
        while true {
            do throws(HostError) { return try FileLock(path: path) } catch {
                guard error.code == .wouldBlock else { throw error }
                _ = Signal.next(of: [], within: .milliseconds(20))
            }
        }
    }

    private static func makeOwnFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("prepared")
        atexit {
            guard let path = try? PreparedFolder.ownFolder.get().path else { return }
            do { try TemporaryFolder.remove(path) } catch { print("\(path) stays: \(error)") }
        }
        return folder
    }
}

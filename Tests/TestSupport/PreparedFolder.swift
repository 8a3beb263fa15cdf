import Foundation
import Glibc
import Host
import Synchronization

/// Folders that take seconds to make. The first test that needs one makes it, and every test has a copy.
///
/// The processes of `scripts/test` share the folders in `TEST_FOLDERS`. A process that runs by itself has its own, and removes them.
package enum PreparedFolder {
    private static let place = Result { try Machine.environment["TEST_FOLDERS"] ?? ownPlace() }
    private static let leftBehind = Mutex<String?>(nil)

    /// Copies the folder of this name, which `make` makes at a path unless there is one.
    package static func copy(_ name: String, to target: String, make: (_ path: String) throws -> Void) throws {
        let made = Path.join(try place.get(), name)
        let lock = try lock("\(made).lock")
        try withExtendedLifetime(lock) {
            guard FileStatus(ofLink: made) == nil else { return }
            let unfinished = "\(made)-unfinished"
            if FileStatus(ofLink: unfinished) != nil { try TemporaryFolder.remove(unfinished) }
            try make(unfinished)
            try Files.rename(unfinished, to: made)
        }
        let (text, status) = try Program("cp", ["--archive", "--no-target-directory", made, target]).output(within: .seconds(60))
        guard status.isSuccess else { throw NotCopied(reason: text) }
    }

    package struct NotCopied: Error { let reason: String }

    /// Waits while another process makes the folder.
    private static func lock(_ path: String) throws(HostError) -> FileLock {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do throws(HostError) { return try FileLock(path: path) } catch {
                guard error.code == .wouldBlock, ContinuousClock.now < end else { throw error }
                _ = Signal.next(of: [], within: .milliseconds(20))
            }
        }
    }

    private static func ownPlace() throws -> String {
        let path = "\(TemporaryFolder.bestPlace)/vitrine-prepared-\(Machine.processID)-0"
        // Passable for the account that root hands a server to.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        leftBehind.withLock { $0 = path }
        atexit {
            guard let path = PreparedFolder.leftBehind.withLock({ $0 }) else { return }
            do { try TemporaryFolder.remove(path) } catch { print("\(path) stays: \(error)") }
        }
        return path
    }
}

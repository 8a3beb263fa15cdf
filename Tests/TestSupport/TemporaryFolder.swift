import Foundation
import Host

/// A temporary folder with a path that is short enough for sockets, removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    /// The parent folders of test folders: in memory, or on the disk.
    package static let directories = ["/dev/shm", "/tmp"]

    /// The folder in memory if it has space. A database has hundreds of files, and ext4 searches long for an inode that was not deleted
    /// recently.
    package static var fastestDirectory: String {
        let hasRoom = Files.may(.write, directories[0]) && Files.freeSpace(at: directories[0]).map { $0 > 2 << 30 } ?? false
        return directories[hasRoom ? 0 : 1]
    }

    /// Removes the folders of killed test processes, once.
    private static let leftoversAreGone: Void = {
        for directory in directories {
            do {
                for name in try Files.names(in: directory) where name.hasPrefix("vitrine-") {
                    let parts = name.split(separator: "-")
                    guard parts.count > 3, let process = Int32(parts[parts.count - 2]), RunningProcess(id: process) == nil else { continue }
                    do { try remove("\(directory)/\(name)") } catch { print("\(directory)/\(name) stays: \(error)") }
                }
            } catch { print("the folders of earlier tests in \(directory) stay: \(error)") }
        }
    }()

    package let path: String

    package init(_ name: String) throws {
        Self.leftoversAreGone
        path = "\(Self.fastestDirectory)/vitrine-\(name)-\(SystemInfo.processID)-\(UInt64.random(in: .min ... .max))"
        // The account of a server that root starts must be able to traverse the folder.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    /// Removes a folder that outlives its creator.
    package static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

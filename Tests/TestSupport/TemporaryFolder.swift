import Foundation
import Host

/// A folder of a test's own, with a short path as sockets need it; removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    /// Where folders of tests are: in memory, or on the disk.
    package static let places = ["/dev/shm", "/tmp"]

    /// In memory if there is room. A database is hundreds of files, and ext4 searches long for an inode that was not deleted just now.
    package static var bestPlace: String {
        let hasRoom = Files.may(.write, places[0]) && Files.freeSpace(at: places[0]).map { $0 > 2 << 30 } ?? false
        return places[hasRoom ? 0 : 1]
    }

    /// The folders of test processes that were killed.
    private static let leftoversAreGone: Void = {
        for place in places {
            do {
                for name in try Files.names(in: place) where name.hasPrefix("vitrine-") {
                    let words = name.split(separator: "-")
                    guard words.count > 3, let process = Int32(words[words.count - 2]), RunningProcess(id: process) == nil else { continue }
                    do { try remove("\(place)/\(name)") } catch { print("\(place)/\(name) stays: \(error)") }
                }
            } catch { print("the folders of earlier tests in \(place) stay: \(error)") }
        }
    }()

    package let path: String

    package init(_ name: String) throws {
        Self.leftoversAreGone
        path = "\(Self.bestPlace)/vitrine-\(name)-\(SystemInfo.processID)-\(UInt64.random(in: .min ... .max))"
        // Passable for the account that root hands a server to.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    /// Removes a folder that outlives what made it.
    package static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

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

    package let path: String

    package init(_ name: String) throws {
        path = "\(Self.bestPlace)/vitrine-\(name)-\(UInt64.random(in: .min ... .max))"
        // Passable for the account that root hands a server to.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    /// Removes a folder that outlives what made it.
    package static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

import Foundation

/// A folder of a test's own, directly below `/tmp` because a socket's path is short; removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(_ name: String) throws {
        path = "/tmp/vitrine-\(name)-\(UInt64.random(in: .min ... .max))"
        // Passable for the account that root hands a server to.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    /// Removes a folder that outlives what made it.
    package static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

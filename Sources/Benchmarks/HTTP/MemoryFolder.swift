import Foundation
import Host

/// A folder in memory for the duration of a measurement, with a subfolder for the pages that nginx serves.
enum MemoryFolder {
    static func run<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = "/dev/shm/vitrine-bench-\(SystemInfo.processID)"
        try FileManager.default.createDirectory(atPath: "\(folder)/v1/us/feeds", withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) was not removed: \(error)") } }
        return try body(folder)
    }
}

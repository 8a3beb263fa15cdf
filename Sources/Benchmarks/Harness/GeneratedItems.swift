import Foundation
import Host
internal import Postgres
import Settings

/// A synthetic catalog as an import file.
enum GeneratedItems {
    /// The default number of items, which the environment variable SIZE overrides.
    static let count = Int(ProcessInfo.processInfo.environment["SIZE"] ?? "") ?? 200_000

    /// Runs a body with the path of the file.
    static func with<Result>(_ url: DatabaseURL, count: Int = count, seed: Int = 1, _ body: (String) throws -> Result) throws -> Result {
        let file = "/tmp/vitrine-bench-\(SystemInfo.processID).jsonl"
        defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) was not removed: \(error)") } }
        try BuiltProgram(["item", "generate", "--count", "\(count)", "--seed", "\(seed)"], url: url).run(output: file)
        return try body(file)
    }
}

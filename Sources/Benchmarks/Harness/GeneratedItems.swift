import Foundation
import Host
internal import Postgres
import Settings

/// A synthetic catalog as an import file.
enum GeneratedItems {
    /// The environment variable SIZE, or nil if it is not a number.
    static let requestedCount = Int(ProcessInfo.processInfo.environment["SIZE"] ?? "")

    /// The number of items of the suites that measure one size.
    static let count = requestedCount ?? 200_000

    /// Runs a body with the path of the file.
    static func with<Result>(_ url: DatabaseURL, count: Int = count, seed: Int = 1, _ body: (String) throws -> Result) throws -> Result {
        let file = "/tmp/vitrine-bench-\(SystemInfo.processID).jsonl"
        defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) was not removed: \(error)") } }
        try BuiltProgram(["item", "generate", "--count", "\(count)", "--seed", "\(seed)"], url: url).run(output: file)
        return try body(file)
    }
}

extension Duration {
    /// The maximum time of a step, such as an import or a query. Indexing, the longest one, takes about 0.3 ms for each item.
    static let longestStep: Duration = max(.seconds(1_800), .milliseconds(2 * GeneratedItems.count))
}

import Foundation
import JSON

/// Every suite that is run; `--only` picks those whose name contains a word.
let suites: [BenchmarkSuite] = [.json]

do {
    let options = try BenchmarkOptions(CommandLine.arguments.dropFirst())
    let rows = try suites.filter { options.includes($0.name) }.flatMap { try $0.run() }
    print(BenchmarkTable(rows))
    if let path = options.jsonPath { try Data(rows.json(.pretty)).write(to: URL(fileURLWithPath: path)) }
    exit(rows.allSatisfy(\.isHeld) ? 0 : 1)
} catch {
    print("benchmarks: \(error)")
    exit(2)
}

import Foundation
import JSON

/// Every suite that is run; `--only` picks those whose name contains a word.
let suites: [BenchmarkSuite] = [.json, .layout, .startup, .eventLoop, .postgres, .import, .reads, .pages, .sync, .http, .idle, .commands]

let words = CommandLine.arguments.dropFirst()
if words.first == "serve" {
    try await ServedPages.serve(certificate: words.dropFirst().first, key: words.dropFirst(2).first)
}

do {
    if words.first == "soak" {
        guard let minutes = words.dropFirst().first.flatMap({ Int($0) }), minutes > 0 else {
            throw BenchmarkOptions.Usage(description: "soak needs a number of minutes")
        }
        let rows = try Soak.run(minutes: minutes)
        print(BenchmarkTable(rows))
        exit(rows.allSatisfy(\.isHeld) ? 0 : 1)
    }
    let options = try BenchmarkOptions(words)
    let chosen = suites.filter { options.includes($0.name) }
    guard !chosen.isEmpty else { throw BenchmarkOptions.Usage(description: "--only names none of \(suites.map(\.name))") }
    let rows = try chosen.flatMap { try $0.run() }
    print(BenchmarkTable(rows))
    if let path = options.jsonPath { try Data(rows.json(.pretty)).write(to: URL(fileURLWithPath: path)) }
    exit(rows.allSatisfy(\.isHeld) ? 0 : 1)
} catch {
    print("benchmarks: \(error)")
    exit(2)
}

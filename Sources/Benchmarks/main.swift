import Foundation
import Host
import JSON

/// All suites in the order in which they run. `--only` selects those whose name contains a word.
let suites: [BenchmarkSuite] = [
    .pages, .feeds, .http, .idle, .sync, .reads, .postgres, .import, .commands, .startup, .layout, .json, .eventLoop,
]

let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "serve" {
    try await ServedPages.serve(certificate: arguments.dropFirst().first, key: arguments.dropFirst(2).first)
}

do {
    if arguments.first == "floor" {
        guard let file = arguments.dropFirst().first else {
            throw BenchmarkOptions.Usage(description: "floor requires the file of a response")
        }
        try FloorServer.serve([UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
    }
    if arguments.first == "soak" {
        guard let minutes = arguments.dropFirst().first.flatMap({ Int($0) }), minutes > 0 else {
            throw BenchmarkOptions.Usage(description: "soak requires a number of minutes")
        }
        try RequiredProgram.check([("soak", Soak.needs)], in: searchPath)
        let checks = try Soak.run(minutes: minutes)
        print(AlignedText([SoakCheck.header] + checks.map(\.cells)))
        exit(checks.allSatisfy(\.isHeld) ? 0 : 1)
    }
    if arguments.first == "cache" {
        let options = try CacheOptions(arguments.dropFirst())
        let proxies: [CacheOptions.Proxy] = options.switches == nil ? [options.proxy] : [.varnish, .nginx]
        try RequiredProgram.check([("cache", proxies.flatMap(\.needs))], in: searchPath)
        let progress = ProgressLine()
        let checks =
            if let count = options.switches {
                try SwitchTrial.run(options, takeovers: count, progress)
            } else { try CacheTrial.run(options, progress) }
        progress.end()
        print(AlignedText([["cache"] + SoakCheck.header.dropFirst()] + checks.map(\.cells)))
        if let path = options.jsonPath { try Data(checks.json(.pretty)).write(to: URL(fileURLWithPath: path)) }
        exit(checks.allSatisfy(\.isHeld) ? 0 : 1)
    }
    let options = try BenchmarkOptions(arguments)
    let chosen = suites.filter { options.includes($0.name) }
    guard !chosen.isEmpty else {
        throw BenchmarkOptions.Usage(description: "no suite matches --only; the suites are \(suites.map(\.name))")
    }
    try RequiredProgram.check(chosen.map { ($0.name, $0.needs) }, in: searchPath)
    let progress = ProgressLine()
    let run = BenchmarkRun(chosen, BenchmarkSession(progress))
    progress.end()
    print(run.report(after: progress.elapsed))
    if let path = options.jsonPath { try Data(run.json(.pretty)).write(to: URL(fileURLWithPath: path)) }
    exit(run.exitCode)
} catch {
    print("benchmarks: \(error)")
    exit(2)
}

import Foundation
import Host
import JSON

/// All suites in the order in which they run. `--only` selects some of them. Without it, all that run by default do.
let suites: [BenchmarkSuite] = [
    .pages, .feeds, .http, .latency, .idle, .sync, .reads, .postgres, .import, .commands, .startup, .layout, .json, .eventLoop,
    .growth, .before,
]

let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "serve" {
    try await ServedPages.serve()
}

do {
    if arguments.first == "floor" {
        guard let file = arguments.dropFirst().first, let work = arguments.dropFirst(2).first.flatMap(FloorServer.Work.init) else {
            throw BenchmarkOptions.Usage(description: "floor requires the file of a response, and 'floor' or 'floor that parses'")
        }
        try FloorServer.serve([UInt8](Data(contentsOf: URL(fileURLWithPath: file))), work)
    }
    if arguments.first == "pace" {
        let words = Array(arguments.dropFirst())
        guard words.count == 4, let port = Int(words[0]), let rate = Double(words[1]), let seconds = Double(words[2]), rate > 0 else {
            throw BenchmarkOptions.Usage(description: "pace requires a port, a rate, a number of seconds and the file of a request")
        }
        let request = [UInt8](try Data(contentsOf: URL(fileURLWithPath: words[3])))
        print(try PacedLoad(port: port, request: request, PacedSchedule(rate: rate, seconds: seconds)).run())
        exit(0)
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
            } else if options.headersOnly {
                try HeaderTrial.run(options, progress)
            } else { try CacheTrial.run(options, progress) }
        progress.end()
        print(AlignedText([["cache"] + SoakCheck.header.dropFirst()] + checks.map(\.cells)))
        if let path = options.jsonPath { try Data(checks.json(.pretty)).write(to: URL(fileURLWithPath: path)) }
        exit(checks.allSatisfy(\.isHeld) ? 0 : 1)
    }
    let options = try BenchmarkOptions(arguments, suites: suites.map(\.name))
    if options.isHelp {
        print(BenchmarkOptions.help(suites: suites.map(\.name)))
        exit(0)
    }
    let chosen = suites.filter { options.includes($0.name, byDefault: $0.runsByDefault) }
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

import Foundation

extension BenchmarkSuite {
    /// How long a person waits for help, as whole processes from start to end; `true` beside it tells what starting any process costs here.
    static let startup = BenchmarkSuite(name: "startup") {
        let vitrine = try program()
        let runs = try InterleavedRuns(calls: 1) {
            try run(vitrine, ["--help"])
        } theirs: {
            try run(URL(fileURLWithPath: "/bin/true"), [])
        }
        return [
            BenchmarkRow(
                what: "startup: vitrine --help", measured: runs.ours.inMilliseconds,
                against: ("/bin/true", runs.theirs.inMilliseconds), bar: .atMost(20))
        ]
    }

    /// The program that was built beside this one.
    private static func program() throws -> URL {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("vitrine")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw BenchmarkFailure(reason: "there is no \(program.path): build the product vitrine in the same configuration")
        }
        return program
    }

    private static func run(_ program: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchmarkFailure(reason: "\(program.path) ended with \(process.terminationStatus)")
        }
    }
}

/// What is to be measured does not run.
private struct BenchmarkFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}

extension BenchmarkRow.Figure {
    fileprivate var inMilliseconds: Self { Self(value: value / 1_000, unit: "ms") }
}

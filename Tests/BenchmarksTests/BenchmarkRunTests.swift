import JSON
import Testing

@testable import Benchmarks

@Suite("A run of benchmarks")
struct BenchmarkRunTests {
    private static let short = BenchmarkSuite(name: "short") { _ in
        [BenchmarkRow(what: "a row", measured: try .init([3, 3, 3], unit: "ms"), bar: .atMost(1))]
    }
    private static let held = BenchmarkSuite(name: "held") { _ in
        [BenchmarkRow(what: "a row", measured: try .init([1, 1, 1], unit: "ms"), bar: .atMost(1))]
    }
    private static let broken = BenchmarkSuite(name: "broken") { _ in throw BenchmarkFailure(reason: "no response") }

    private func run(_ suites: [BenchmarkSuite]) -> BenchmarkRun { BenchmarkRun(suites, BenchmarkSession(ProgressLine())) }

    @Test("A missed bar ends a run with 1, and a figure that could not be measured with 2")
    func exitCodes() {
        #expect(run([Self.held]).exitCode == 0)
        #expect(run([Self.held, Self.short]).exitCode == 1)
        #expect(run([Self.broken, Self.held]).exitCode == 2)
    }

    @Test("The suites after a failed one run, and the failure is in the report and in the JSON")
    func failure() throws {
        let run = run([Self.broken, Self.held])
        #expect(run.rows.count == 1)
        #expect(run.report(after: .seconds(61)).contains("FAILED broken: no response\n[1:01]"))
        #expect(String(decoding: try run.json(), as: UTF8.self).hasSuffix(#"{"what":"broken","failure":"no response","held":false}]"#))
    }

    private static let growing = BenchmarkSuite(name: "growing") { session in
        session.growth = GrowthTable([10, 20])
        session.growth?.record("loaded", 1, "s", of: 10)
        throw BenchmarkFailure(reason: "the disk is full")
    }

    @Test("The growth up to a failure is in the report and in the JSON, without an empty table of rows")
    func growth() throws {
        let run = run([Self.growing])
        #expect(
            run.report(after: .seconds(1)).hasPrefix(
                """
                growth  unit  10 items  20 items  largest ÷ smallest
                loaded  s     1.00
                FAILED growing: the disk is full
                """))
        #expect(
            try String(decoding: run.json(), as: UTF8.self).hasPrefix(
                #"[{"what":"growth: loaded","unit":"s","values":[{"items":10,"value":1}]},{"what":"growing","failure""#))
        #expect(run.exitCode == 2)
    }

    @Test("A missing program is a failure that names the program, its suites and the command that installs it")
    func missingProgram() throws {
        let strange = RequiredProgram(name: "no-such-program", package: "strange")
        let needs = [("http", [strange]), ("json", []), ("pages", [strange])]
        let failure = try #require(throws: BenchmarkFailure.self) { try RequiredProgram.check(needs, in: "/usr/bin:/bin") }
        #expect(failure.reason == "no-such-program is not installed; needed by: http, pages\ninstall with: apt-get install strange")
        #expect(throws: Never.self) { try RequiredProgram.check([("json", [])], in: "") }
    }

    @Test("A kept line ends with a line break, and clears the current step of a terminal first")
    func keptLine() {
        #expect(ProgressLine.kept("[0:01] growth: 12 s", isTerminal: true) == "\r\u{1B}[K[0:01] growth: 12 s\n")
        #expect(ProgressLine.kept("[0:01] growth: 12 s", isTerminal: false) == "[0:01] growth: 12 s\n")
    }
}

import Foundation
import Testing

@Suite("The script test")
struct TestScriptTests {
    /// The run of a repository whose test bundle is a stub that writes the events of its runs.
    struct Run {
        let status: Int32
        let output: String
        /// The filter patterns of the processes that ran tests.
        let patterns: [String]

        /// Runs the script with a stub of these tests in Bash, which gets its pattern as `$pattern` and may call `record`, `start`,
        /// `pass` and `fail`.
        init(_ tests: [String], _ stub: String, selecting arguments: [String] = [], environment: [String: String] = [:]) throws {
            let scratch = try Scratch()
            let root = scratch.directory
            try scratch.write("", to: "patterns")
            for folder in ["scripts", "bin"] {
                try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
            }
            try FileManager.default.copyItem(
                at: Repository.root.appending(path: "scripts/test"), to: root.appending(path: "scripts/test"))
            for name in ["swift", "StubPackageTests.xctest"] {
                try FileManager.default.createSymbolicLink(
                    at: root.appending(path: "bin/\(name)"), withDestinationURL: Repository.root.appending(path: "Tests/stub-program"))
            }
            let list = tests.map { "echo '\(Self.name($0))'" }.joined(separator: "; ")
            try scratch.write("[[ $* != *show-bin-path* ]] || echo '\(root.path)/bin'", to: "bin/swift.body")
            try scratch.write(
                """
                if [[ $* == *--list-tests* ]]; then \(list.isEmpty ? ":" : list); exit 0; fi
                \(Self.events)
                echo "$pattern" >>'\(root.path)/patterns'
                \(stub)
                """, to: "bin/StubPackageTests.xctest.body")
            var script = Program(file: root.appending(path: "scripts/test"))
            script.environment["PATH"] = "\(root.path)/bin:/usr/local/bin:/usr/bin:/bin"
            script.environment.merge(environment) { $1 }
            let result = try script.run(arguments)
            status = result.status
            output = result.output
            patterns = try scratch.text(of: "patterns").split(separator: "\n").map(String.init)
        }

        /// Returns the full name of a test, by default in the suite `Suite` of the target `Module`.
        private static func name(_ test: String) -> String { test.contains("/") ? test : "Module.Suite/\(test)()" }

        /// Whether a process ran only this test.
        func ranAlone(_ name: String) -> Bool { patterns.contains(#"^Module\.Suite\/"# + name + #"\(\)\/S\.swift\:1\:1$"#) }

        private static let events = #"""
            while (($#)); do case $1 in --event-stream-output-path) path=$2 ;; --filter) pattern=$2 ;; esac; shift; done
            id() { if [[ $1 == */* ]]; then echo "$1/S.swift:1:1"; else echo "Module.Suite/$1()/S.swift:1:1"; fi; }
            record() { for name; do echo "{\"kind\":\"test\",\"payload\":{\"kind\":\"function\",\"id\":\"$(id "$name")\"}}" >>"$path"; done; }
            event() {
                echo "{\"kind\":\"event\",\"payload\":{\"kind\":\"$2\",\"testID\":\"$(id "$1")\",\"messages\":[$3],\"instant\":{\"absolute\":${4:-0}}}}" >>"$path"
            }
            start() { event "$1" testStarted; }
            end() { event "$1" testEnded "{\"symbol\":\"$2\",\"text\":\"ended\"}" "$3"; }
            pass() { start "$1"; end "$1" pass "$2"; }
            fail() { start "$1"; event "$1" issueRecorded "{\"symbol\":\"fail\",\"text\":\"$2\"}"; end "$1" fail; }
            is_alone() { [[ $pattern == *'$' && $pattern != *'|'* && $pattern != *')' ]]; }

            """#
    }

    @Test("A run without failures passes without a second run, and prints the slowest tests first")
    func sound() throws {
        let run = try Run(["one", "two"], "record one two; pass one 1.5; pass two 20")
        #expect(run.status == 0)
        #expect(run.output.contains("The slowest, in seconds:\n   20.0 Module.Suite/two()\n    1.5 Module.Suite/one()\n"))
        #expect(run.output.contains("\n2 passed, 0 failed, 0 skipped in "))
        #expect(run.patterns == [#"^Module\.Suite\/one\(\)(/|$)|^Module\.Suite\/two\(\)(/|$)"#])
    }

    @Test("A target with many suites is divided among several processes")
    func dealt() throws {
        let tests = (1...13).map { "A.Suite\($0)/one()" } + ["StressTests.S/one()", "B.S/one()"]
        let stub = #"""
            names() { tr '|' '\n' <<<"$pattern" | sed -nE 's/^\^(.*)\(\/$/\1/p' | tr -d '\\'; }
            for name in $(names); do record "$name"; pass "$name"; done
            """#
        let run = try Run(tests, stub)
        #expect(run.status == 0)
        #expect(run.patterns.count == 4 && run.patterns.contains(#"^StressTests\.S\/one\(\)(/|$)"#))
        #expect(Set(run.patterns.map { $0.count { $0 == "^" } }) == [1, 6, 7])
    }

    @Test("A run of a pattern runs only the selected tests, and fails if it selects nothing")
    func selected() throws {
        let run = try Run(["one", "two"], "record two; pass two", selecting: ["Suite/t"])
        #expect(run.status == 0 && run.patterns == [#"^Module\.Suite\/two\(\)(/|$)"#])
        let none = try Run(["one"], "record one; pass one", selecting: ["Suite/three"])
        #expect(none.status == 1 && none.patterns.isEmpty)
    }

    @Test("A test that fails once is listed as FLAKY, with the issue of its first run, and the run passes")
    func flaky() throws {
        let run = try Run(
            ["one", "two"],
            "if is_alone; then record two; pass two; else record one two; pass one; fail two 'too late'; exit 1; fi")
        #expect(run.status == 0)
        #expect(run.ranAlone("two") && !run.ranAlone("one"))
        #expect(
            run.output.contains(
                "FLAKY Module.Suite/two()/S.swift:1:1\n  with others (.build/tests/1-Module.log):\n    too late\n  alone, passed (.build/tests/again-1.log)"
            ))
        #expect(run.output.contains("\n2 passed, 0 failed, 0 skipped in "))
    }

    @Test("A run fails if a test fails twice, with the issues of both runs")
    func failed() throws {
        let run = try Run(["two"], "record two; if is_alone; then fail two 'still wrong'; else fail two wrong; fi; exit 1")
        #expect(run.status == 1)
        #expect(run.output.contains("FAILED Module.Suite/two()/S.swift:1:1\n  with others (.build/tests/1-Module.log):\n    wrong\n"))
        #expect(run.output.contains("  alone (.build/tests/again-1.log):\n    still wrong\n"))
        #expect(run.output.contains("\n0 passed, 1 failed, 0 skipped in "))
    }

    @Test("Tests that did not run because of a crash run again, and the crashed one runs alone")
    func crash() throws {
        let run = try Run(
            ["one", "two", "three"],
            """
            case $pattern in
            *one*three*) record one two three; pass two; start one; exit 1 ;;
            *one*) record one; start one; exit 1 ;;
            *three*) record three; pass three ;;
            esac
            """)
        #expect(run.status == 1)
        #expect(run.output.contains("ended before 1 tests were started"))
        #expect(run.ranAlone("three"))
        #expect(run.output.contains("FAILED Module.Suite/one()"))
        #expect(run.output.contains("\n2 passed, 1 failed, 0 skipped in "))
    }

    @Test("A run fails if a process crashes between two tests, even if the rest passes in another process")
    func crashBetween() throws {
        let run = try Run(["one", "two"], "if is_alone; then record two; pass two; else record one two; pass one; kill -SEGV $$; fi")
        #expect(run.status == 1)
        #expect(run.output.contains("the run failed, and no failed test explains it"))
    }

    @Test("A run fails if a listed test does not run")
    func missing() throws {
        let run = try Run(["one", "two"], "record one; pass one")
        #expect(run.status == 1)
        #expect(run.output.contains("the run failed, and Module.Suite/two() did not run"))
    }

    @Test(
        "A run fails if its process fails without a failed test",
        arguments: ["echo 'error: no such module'; exit 1", "record one; pass one; exit 1", "exit 0", "record one; exit 1"])
    func noTest(stub: String) throws {
        let run = try Run(["one"], stub)
        #expect(run.status == 1)
        #expect(run.output.contains("\n== the run failed, and "))
    }

    @Test("A process with a hanging test is killed, the test fails, and the others run in another process")
    func hanging() throws {
        let run = try Run(
            ["one", "two", "three"],
            """
            if [[ $pattern != *two* ]]; then record three; pass three; exit 0; fi
            record one two three; pass one; start two; exec tail --follow "$path" >/dev/null
            """, environment: ["TEST_PATIENCE": "1"])
        #expect(run.status == 1)
        #expect(run.output.contains("no end of Module.Suite/two()/S.swift:1:1 within 1 s; the process was killed"))
        #expect(run.output.contains("  with others (.build/tests/1-Module.log):\n    the process did not end"))
        #expect(run.output.contains("\n2 passed, 1 failed, 0 skipped in "))
    }

    @Test("All tests of a run, including repeated ones, get the same seed")
    func seed() throws {
        let stub = #"record one; fail one "seed $TEST_SEED"; exit 1"#
        let seeds = try Run(["one"], stub).output.split(separator: "\n").filter { $0.contains("seed ") || $0.hasPrefix("TEST_SEED=") }
        #expect(seeds.count == 3 && Set(seeds.map { $0.drop { !$0.isNumber } }).count == 1)
        #expect(try Run(["one"], stub, environment: ["TEST_SEED": "42"]).output.contains("seed 42"))
    }

    @Test("No test is repeated if more fail than chance explains")
    func allFailed() throws {
        let run = try Run((1...41).map { "t\($0)" }, "for n in {1..41}; do record \"t$n\"; fail \"t$n\" wrong; done; exit 1")
        #expect(run.status == 1)
        #expect(run.patterns.count == 1)
        #expect(run.output.contains("FAILED Module.Suite/t41()"))
    }
}

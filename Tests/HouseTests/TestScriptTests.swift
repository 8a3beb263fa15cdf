import Foundation
import Testing

@Suite("scripts/test")
struct TestScriptTests {
    /// A repository with a stub for `swift`, whose runs are written in advance: the first one, and the one of each test alone.
    struct Run {
        let status: Int32
        let output: String
        let calls: [String]

        /// Runs the script with a `swift` of Bash that sees the arguments as `$*` and may call `record`, `start`, `pass` and `fail`.
        init(_ stub: String, environment: [String: String] = [:]) throws {
            let scratch = try Scratch()
            let root = scratch.directory
            try scratch.write("", to: "calls")
            for folder in ["scripts", "bin"] {
                try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
            }
            try FileManager.default.copyItem(
                at: Repository.root.appending(path: "scripts/test"), to: root.appending(path: "scripts/test"))
            try FileManager.default.createSymbolicLink(
                at: root.appending(path: "bin/swift"), withDestinationURL: Repository.root.appending(path: "Tests/stand-in"))
            try scratch.write(Self.events + "echo \"$*\" >>'\(root.path)/calls'\n" + stub, to: "bin/swift.body")
            var script = Program(file: root.appending(path: "scripts/test"))
            script.environment["PATH"] = "\(root.path)/bin:/usr/local/bin:/usr/bin:/bin"
            script.environment.merge(environment) { $1 }
            let result = try script.run([])
            status = result.status
            output = result.output
            calls = try scratch.text(of: "calls").split(separator: "\n").map(String.init)
        }

        /// Whether a call of `swift` ran this test and no other one.
        func ranAlone(_ name: String) -> Bool { calls.contains { $0.hasSuffix(#"--filter ^Module\.Suite\/"# + name + #"\(\)$"#) } }

        private static let events = #"""
            while (($#)); do case $1 in --event-stream-output-path) path=$2 ;; esac; seen="$seen $1"; shift; done
            set -- $seen
            id() { echo "Module.Suite/$1()"; }
            record() { for name; do echo "{\"kind\":\"test\",\"payload\":{\"kind\":\"function\",\"id\":\"$(id "$name")\"}}" >>"$path"; done; }
            event() { echo "{\"kind\":\"event\",\"payload\":{\"kind\":\"$2\",\"testID\":\"$(id "$1")\",\"messages\":[$3]}}" >>"$path"; }
            start() { event "$1" testCaseStarted; }
            end() { event "$1" testEnded "{\"symbol\":\"$2\",\"text\":\"ended\"}"; }
            pass() { start "$1"; end "$1" pass; }
            fail() { start "$1"; event "$1" issueRecorded "{\"symbol\":\"fail\",\"text\":\"$2\"}"; end "$1" fail; }
            alone() { [[ $* == *"--filter ^Module"* ]]; }

            """#
    }

    @Test("Passes without a second run if no test fails")
    func sound() throws {
        let run = try Run("[[ $* == *'--filter StressTests'* ]] || { record one two; pass one; pass two; }")
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("\n2 passed, 0 failed, 0 skipped\n"))
        #expect(run.calls.count == 2)
    }

    @Test("Lists a test that fails once as FLAKY, with the issue of its first run, and passes")
    func flaky() throws {
        let run = try Run(
            """
            [[ $* != *'--filter StressTests'* ]] || exit 0
            if alone "$@"; then record two; pass two; else record one two; pass one; fail two 'too late'; exit 1; fi
            """)
        #expect(run.status == 0)
        #expect(run.ranAlone("two") && !run.ranAlone("one"))
        #expect(run.output.contains("FLAKY Module.Suite/two()\n  with others (.build/tests/tests.log):\n    too late\n"))
        #expect(run.output.hasSuffix("\n2 passed, 0 failed, 0 skipped\n"))
    }

    @Test("Fails if a test fails twice, with the issues of both runs")
    func failed() throws {
        let run = try Run(
            """
            [[ $* != *'--filter StressTests'* ]] || exit 0
            record two; if alone "$@"; then fail two 'still wrong'; else fail two wrong; fi; exit 1
            """)
        #expect(run.status == 1)
        #expect(run.output.contains("FAILED Module.Suite/two()\n  with others (.build/tests/tests.log):\n    wrong\n"))
        #expect(run.output.contains("  alone (.build/tests/again-1.log):\n    still wrong\n"))
        #expect(run.output.hasSuffix("\n0 passed, 1 failed, 0 skipped\n"))
    }

    @Test("Runs the tests that a crash left out, and the one that crashed alone")
    func crash() throws {
        let run = try Run(
            """
            [[ $* != *'--filter StressTests'* ]] || exit 0
            case $* in
            *one*) record one; start one; exit 1 ;;
            *three*) record three; pass three ;;
            *) record one two three; for name in one two three; do event $name testStarted; done; start one; pass two; exit 1 ;;
            esac
            """)
        #expect(run.status == 1)
        #expect(run.output.contains("ended before 1 tests were started"))
        #expect(run.output.contains("FAILED Module.Suite/one()"))
        #expect(run.output.hasSuffix("\n2 passed, 1 failed, 0 skipped\n"))
    }

    @Test(
        "Fails if the run fails and no test does",
        arguments: ["echo 'error: no such module'; exit 1", "record one; pass one; exit 1", "exit 0"])
    func noTest(stub: String) throws {
        let run = try Run("[[ $* != *'--filter StressTests'* ]] || exit 0\n" + stub)
        #expect(run.status == 1)
    }

    @Test("Kills a run in which no test ends, and fails with the test that hangs")
    func hanging() throws {
        let run = try Run(
            """
            [[ $* != *'--filter StressTests'* ]] || exit 0
            record one two; for name in one two; do event $name testStarted; done; pass one; exec tail --follow "$path" >/dev/null
            """, environment: ["TEST_PATIENCE": "1"])
        #expect(run.status == 1)
        #expect(run.output.contains("no test started or ended for 1 s, and the process was killed"))
        #expect(run.output.contains("FAILED Module.Suite/two()"))
        #expect(run.output.hasSuffix("\n1 passed, 1 failed, 0 skipped\n"))
    }

    @Test("Gives all tests of a run, and those that run again, one seed")
    func seed() throws {
        let stub = """
            [[ $* != *'--filter StressTests'* ]] || exit 0
            echo "seed $TEST_SEED"; record one; if alone "$@"; then pass one; else fail one 'too late'; exit 1; fi
            """
        let seeds = try Run(stub).output.split(separator: "\n").filter { $0.hasPrefix("seed ") || $0.hasPrefix("TEST_SEED=") }
        #expect(seeds.count == 3 && Set(seeds.map { $0.drop { !$0.isNumber } }).count == 1)
        #expect(try Run(stub, environment: ["TEST_SEED": "42"]).output.contains("seed 42"))
    }

    @Test("Runs no test again if more fail than chance explains")
    func allFailed() throws {
        let run = try Run("for n in {1..41}; do record \"t$n\"; fail \"t$n\" wrong; done; exit 1")
        #expect(run.status == 1)
        #expect(run.calls.count == 2)
        #expect(run.output.contains("FAILED Module.Suite/t41()"))
    }
}

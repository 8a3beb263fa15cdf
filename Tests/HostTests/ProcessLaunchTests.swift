import Glibc
import Host
import Testing

@Suite struct ProcessLaunchTests {
    @Test("The output and exit code of a program are returned")
    func output() throws {
        let (text, status) = try ProcessLaunch("sh", ["-c", "echo out; echo err >&2; exit 3"]).output()
        #expect(text == "out\nerr\n")
        #expect(status == .code(3))
    }

    @Test("A program gets exactly the given environment")
    func environment() throws {
        #expect(try ProcessLaunch("/usr/bin/env", [], environment: ["A": "b=c"]).output().text == "A=b=c\n")
    }

    @Test("A program inherits only its three standard streams")
    func inheritance() throws {
        let leaky = dup(1)
        defer { close(leaky) }
        #expect(leaky > 2)
        // The fourth is the descriptor of the folder itself.
        #expect(try ProcessLaunch("ls", ["/proc/self/fd"]).output().text == "0\n1\n2\n3\n")
    }

    @Test("A missing program is an error that names it")
    func missing() {
        #expect(throws: HostError(.notFound, "start", "/nowhere/at-all")) {
            try ProcessLaunch("/nowhere/at-all", []).output()
        }
    }

    @Test("A child is seen running, ends by a signal, and is reaped once")
    func signal() throws {
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        var child = try ProcessLaunch("sleep", ["60"]).start(input: nothing, output: nothing)
        #expect(child.ended() == nil)
        #expect(RunningProcess(id: child.id)?.id == child.id)
        try RunningProcess.send(.terminate, to: child.id)
        #expect(try child.wait() == .signal(15))
        #expect(child.ended() == .signal(15))
        #expect(RunningProcess(id: child.id) == nil)
    }

    @Test("A child has default signal handling even if this process blocks the signal")
    func defaultSignals() throws {
        var interrupt = sigset_t()
        var before = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        pthread_sigmask(SIG_BLOCK, &interrupt, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(try ProcessLaunch("sh", ["-c", "kill -INT $$; echo survived"]).output().status == .signal(2))
    }

    @Test("A program that runs too long is killed")
    func tooLong() throws {
        #expect(throws: HostError(.timedOut, "read", "the output of sleep")) {
            try ProcessLaunch("sleep", ["60"]).output(within: .milliseconds(50))
        }
    }
}

import Glibc
import Host
import Testing

@Suite struct ProcessLaunchTests {
    @Test("a program's output and exit code come back")
    func output() throws {
        let (text, status) = try ProcessLaunch("sh", ["-c", "echo out; echo err >&2; exit 3"]).output()
        #expect(text == "out\nerr\n")
        #expect(status == .code(3))
    }

    @Test("a program sees the environment that it was given and no other")
    func environment() throws {
        #expect(try ProcessLaunch("/usr/bin/env", [], environment: ["A": "b=c"]).output().text == "A=b=c\n")
    }

    @Test("a program gets its three streams and nothing else that is open, marked as private or not")
    func inheritance() throws {
        let leaky = dup(1)
        defer { close(leaky) }
        #expect(leaky > 2)
        // The folder's own descriptor is the fourth.
        #expect(try ProcessLaunch("ls", ["/proc/self/fd"]).output().text == "0\n1\n2\n3\n")
    }

    @Test("a program that is not there is an error that names it")
    func missing() {
        #expect(throws: HostError(.notFound, "start", "/nowhere/at-all")) {
            try ProcessLaunch("/nowhere/at-all", []).output()
        }
    }

    @Test("a child is seen running, is ended by a signal, and is reaped once")
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

    @Test("a child has default signal handling even where this process holds the signal")
    func defaultSignals() throws {
        var interrupt = sigset_t()
        var before = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        pthread_sigmask(SIG_BLOCK, &interrupt, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(try ProcessLaunch("sh", ["-c", "kill -INT $$; echo survived"]).output().status == .signal(2))
    }

    @Test("a program that goes on for too long is killed")
    func tooLong() throws {
        #expect(throws: HostError(.timedOut, "read", "what sleep prints")) {
            try ProcessLaunch("sleep", ["60"]).output(within: .milliseconds(50))
        }
    }
}

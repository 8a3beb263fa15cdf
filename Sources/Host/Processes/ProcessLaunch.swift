internal import Glibc

package struct ProcessLaunch: Sendable {
    /// The path of the program. `start` searches for a bare name in `PATH`.
    package var path: String
    package var arguments: [String]
    package var environment: [String: String]
    /// Whether the process gets its own session, so that Ctrl-C in the terminal does not reach it.
    package var isDetached: Bool

    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = SystemInfo.environment, isDetached: Bool = false
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.isDetached = isDetached
    }

    /// The number below which a child's descriptors are closed, except its three streams. Closing an unused number is not
    /// an error.
    private static let inheritable: Int32 = 1_024

    /// Starts a child process with default signal handling, regardless of this process's. Its standard error goes to
    /// its output or, with `sharesErrors`, to this process's standard error.
    package func start(
        input: borrowing Descriptor, output: borrowing Descriptor, sharesErrors: Bool = false
    ) throws(HostError) -> ChildProcess {
        try start(input: input.number, output: output.number, errors: sharesErrors ? 2 : output.number)
    }

    /// Starts the program with the streams of this process, for interactive use.
    package func startHere() throws(HostError) -> ChildProcess { try start(input: 0, output: 1, errors: 2) }

    private func start(input: Int32, output: Int32, errors: Int32) throws(HostError) -> ChildProcess {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [(input, Int32(0)), (output, 1), (errors, 2)] where number != stream {
            unsafe posix_spawn_file_actions_adddup2(&actions, number, stream)
        }
        // Some libraries open descriptors without close-on-exec. A server that inherits a socket would keep its reader
        // waiting.
        for number in 3..<Self.inheritable { unsafe posix_spawn_file_actions_addclose(&actions, number) }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var nothing = Signal.sigset(of: [])
        var everything = Signal.sigset(of: Signal.allCases)
        unsafe posix_spawnattr_setsigmask(&attributes, &nothing)
        unsafe posix_spawnattr_setsigdefault(&attributes, &everything)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which glibc declares for GNU sources only
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isDetached ? newSession : 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

        var pid: pid_t = 0
        let code = unsafe withCStrings([path] + arguments) { argv in
            unsafe withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                unsafe posix_spawnp(&pid, path, &actions, &attributes, argv, variables)
            }
        }
        guard code == 0 else { throw HostError(HostError.Code(rawValue: code), "start", path) }
        return ChildProcess(id: pid)
    }

    /// Runs the program and returns its output, at most `limit` bytes. Kills it after `duration`.
    package func output(
        within duration: Duration = .seconds(10), limit: Int = 1 << 20
    ) throws(HostError) -> (text: String, status: ProcessStatus) {
        let nothing = try Descriptor(opening: "/dev/null", .read)
        let pipe = try Pipe()
        var child = try start(input: nothing, output: pipe.writing)
        do throws(HostError) {
            let bytes = try pipe.readToEnd(limit: limit, within: duration, subject: "the output of \(path)")
            return (String(decoding: bytes, as: UTF8.self), try child.wait())
        } catch {
            try RunningProcess.send(.kill, to: child.id)
            _ = try child.wait()
            throw error
        }
    }

    /// Replaces this process with the program. Returns only if that fails.
    package func replaceThisProcess() -> HostError {
        let variables = environment.map { "\($0.key)=\($0.value)" }
        return unsafe withCStrings([path] + arguments) { argv in
            unsafe withCStrings(variables) { variables in
                _ = unsafe execve(path, argv, variables)
                return HostError(errnoOf: "start", path)
            }
        }
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("the list ends in nil, so it is never empty") }
        return unsafe body(start)
    }
}

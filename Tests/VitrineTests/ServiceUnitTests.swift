import Glibc
import Host
import TestSupport
import Testing

/// The server as `config/vitrine.service` runs it. `Tests/run-unit` replaces systemd, which is the first process on no build machine.
@Suite(
    "The systemd unit", .serialized, .onOwnThread, .enabled(if: User.current.isRoot, "only root can give up what the unit gives up"),
    .timeLimit(.minutes(5)))
struct ServiceUnitTests {
    private let vitrine: Vitrine
    private let unit: String

    init() throws {
        vitrine = try Vitrine()
        unit = "\(Path.parent(of: #filePath))/../../config/vitrine.service"
    }

    /// The socket on which a service manager waits.
    private struct Manager: ~Copyable {
        let name = "@vitrine-\(UInt64.random(in: .min ... .max))"
        private let descriptor: Descriptor

        init() throws {
            let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            descriptor = Descriptor(owning: number)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { target in
                for (index, byte) in name.utf8.enumerated().dropFirst() { target[index] = byte }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
            }
            guard status == 0 else { throw HostError(errnoOf: "listen on", name) }
        }

        borrowing func next() throws -> String { String(decoding: try descriptor.readSome(subject: name), as: UTF8.self) }
    }

    private func start(_ unit: String, notifying socket: String, output: String) throws -> ChildProcess {
        let arguments = [
            "-c", "exec \"$@\" >\(output) 2>\(output).errors", "sh", "\(Path.parent(of: #filePath))/../run-unit", unit,
            "--credential", "database-url=postgresql://ada:hunter2@127.0.0.1:9/shop", "--credential", "sync-keys=\(Vitrine.syncKeys)",
            "--", vitrine.path, "serve",
        ]
        let variables = [
            "VITRINE_LISTEN": "127.0.0.1:0", "VITRINE_OPERATIONS_LISTEN": "127.0.0.1:0", "NOTIFY_SOCKET": socket,
            // A crash report needs system calls that the unit forbids.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        return try ProcessLaunch("sh", arguments, environment: vitrine.environment.merging(variables) { $1 }, isDetached: true)
            .start(input: nothing, output: nothing)
    }

    @Test("A server starts, responds, reports its liveness and stops within the unit's filter, capabilities and namespaces")
    func sandbox() throws {
        let manager = try Manager()
        let output = "\(vitrine.folder)/unit"
        let child = try start(unit, notifying: manager.name, output: output)
        var serve = try RunningServe(vitrine, child, output: output)
        #expect(try manager.next() == "READY=1")
        #expect(try serve.send("/healthz") == "alive\n200")
        #expect(try serve.send("/v1/images/1/0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10/icon/480x480.svg").hasSuffix("</svg>\n200"))
        #expect(try serve.send("/metrics").contains("process_resident_memory_bytes"))
        #expect(try serve.send("/readyz").hasSuffix("503"))
        for _ in 0..<3 { #expect(try manager.next() == "WATCHDOG=1") }
        let status = String(decoding: try Files.read("/proc/\(serve.child.id)/status"), as: UTF8.self)
        for line in ["Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "Uid:\t61184\t"] {
            #expect(status.contains(line), "\(status)")
        }
        try serve.stop()
        var last = try manager.next()
        while last == "WATCHDOG=1" { last = try manager.next() }
        #expect(last == "STOPPING=1")
    }

    @Test("A worker reports its start, its liveness and its end to the service manager")
    func worker() throws {
        let manager = try Manager()
        let variables = [
            "VITRINE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:9/shop", "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "200000",
        ]
        var child = try vitrine.start(["worker", "--worker-listen", "127.0.0.1:0"], variables, output: "\(vitrine.folder)/worker")
        #expect(try manager.next() == "READY=1")
        for _ in 0..<2 { #expect(try manager.next() == "WATCHDOG=1") }
        try RunningProcess.send(.terminate, to: child.id)
        var last = try manager.next()
        while last == "WATCHDOG=1" { last = try manager.next() }
        #expect(last == "STOPPING=1")
        #expect(try vitrine.end(of: &child) == .code(0))
    }

    @Test("A server that makes a forbidden system call is killed if the filter has no error number")
    func withoutResponse() throws {
        let manager = try Manager()
        let text = try vitrine.text(unit).split(separator: "\n")
            .filter { $0 != "SystemCallFilter=setpriority" && $0 != "SystemCallErrorNumber=EPERM" }.joined(separator: "\n")
        var child = try start(try vitrine.write(text, to: "strict.service"), notifying: manager.name, output: "\(vitrine.folder)/strict")
        #expect(try vitrine.end(of: &child) == .signal(SIGSYS))
    }
}

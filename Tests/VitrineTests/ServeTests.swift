import Host
import TestSupport
import Testing

/// `vitrine serve` as an operator and a service manager run it.
@Suite(.serialized, .onOwnThread) struct ServeTests {
    private static let nowhere = ["VITRINE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:9/shop"]
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    @Test("Without its database, a server is alive but not ready, hides the password, and stops on a signal")
    func withoutDatabase() throws {
        var serve = try RunningServe(vitrine, variables: Self.nowhere)
        #expect(try serve.send("/healthz") == "alive\n200")
        try vitrine.wait(for: "server.unready", &serve.child, serve.log)
        let response = try serve.send("/readyz", "-i")
        #expect(response.contains("retry-after: 1\r\n") && response.contains("the database does not respond") && response.hasSuffix("503"))
        #expect(try serve.send("/metrics").contains("\nvitrine_database_up{loop=\"http-0\"} 0\n"))
        #expect(try serve.send("/v1/nowhere").hasSuffix("404"))
        let pages = try serve.send("/v1/us/feeds")
        #expect(pages.contains("notReady") && pages.hasSuffix("503"))
        let icon = try serve.send("/v1/images/1/0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10/icon/480x480.svg", "-i")
        #expect(
            icon.contains("content-type: image/svg+xml\r\n") && icon.contains("policy: default-src 'none'") && icon.hasSuffix("</svg>\n200")
        )
        try serve.stop()
        let text = try serve.text()
        #expect(text.contains("database.unreachable") && !text.contains("hunter2"))
    }

    @Test("A server is ready if the database has its schema or a newer compatible one, and stays ready through an outage")
    func readiness() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try dev.create("served")
            var serve = try RunningServe(vitrine, variables: variables)
            try vitrine.wait(for: "server.unready", &serve.child, serve.log)
            let rejection = try serve.send("/readyz")
            #expect(rejection.contains("the database has pending migrations") && rejection.hasSuffix("503"))
            #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
            try serve.wait(for: 200, of: "/readyz")
            #expect(try serve.send("/metrics").contains("\nvitrine_database_up{loop=\"http-0\"} 1\n"))

            let newer = """
                INSERT INTO vitrine_meta.migrations (number, name, checksum, took_microseconds, breaks_older_programs)
                VALUES (9998, 'add_things', sha256('1'), 1, false)
                """
            try dev.send("served", newer)
            #expect(try vitrine.run(["db", "check"], variables: variables).status == .code(0))
            try dev.send("served", "INSERT INTO vitrine_meta.migrations VALUES (9999, 'drop_things', sha256('2'), now(), 1, true)")
            // The state is checked once a second. The compatible migration alone has not changed it.
            try serve.wait(for: 503, of: "/readyz")
            #expect(try serve.send("/readyz").contains("9999_drop_things, which breaks older programs"))
            #expect(try !serve.text().contains("9998_add_things"))
            try dev.send("served", "DELETE FROM vitrine_meta.migrations WHERE number = 9999")
            try serve.wait(for: 200, of: "/readyz")

            try dev.send("vitrine", "ALTER DATABASE served CONNECTION LIMIT 0")
            try dev.send("vitrine", "ALTER ROLE vitrine NOSUPERUSER")
            try dev.send("vitrine", "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'served'")
            try vitrine.wait { try serve.send("/readyz") == "degraded: the database does not respond\n200" }
            #expect(try serve.send("/healthz") == "alive\n200")
            try serve.stop()
        }
    }

    @Test("A server raises its limit of open files to the hard limit of the system")
    func openFiles() throws {
        let hard = SystemInfo.openFileLimit.hard
        let output = "\(vitrine.folder)/limited"
        let arguments = ["-c", "ulimit -S -n 100; exec \"$0\" serve --listen 127.0.0.1:0 2>\(output).errors", vitrine.path]
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        let environment = vitrine.environment.merging(Self.nowhere) { $1 }.merging(["VITRINE_SYNC_KEYS": Vitrine.syncKeys]) { $1 }
        let child = try ProcessLaunch("sh", arguments, environment: environment, isDetached: true)
            .start(input: nothing, output: nothing)
        var serve = try RunningServe(vitrine, child, output: output)
        #expect(try serve.send("/metrics").contains("\nprocess_max_fds \(hard)\n"))
        try serve.stop()
    }

    @Test("A shutdown does not wait beyond its deadline for a request that does not end", arguments: ["yields", "blocks"])
    func stubbornHandler(manner: String) throws {
        let (text, status) = try BuiltProgram.runScenario("stubborn-handler", manner)
        #expect(status == .code(0) && text.contains("server.stop.timeout"), "\(text)")
    }

    @Test("A port that is in use is refused with its address", arguments: ["127.0.0.1", "*"])
    func portInUse(host: String) throws {
        var serve = try RunningServe(vitrine, variables: Self.nowhere)
        let other = try vitrine.run(["serve", "--listen", "\(host):\(serve.port)"], variables: Self.nowhere)
        #expect(other.status == .code(4))
        #expect(other.errors.contains("error: cannot listen on \(host):\(serve.port): Address already in use"), "\(other.errors)")
        #expect(try serve.send("/healthz") == "alive\n200")
        // The checks of doctor for both addresses of this server, and for a free one.
        let taken = "\(host):\(serve.port)"
        for (name, arguments) in [("listen", ["--listen", taken]), ("operations.listen", ["--operations-listen", taken])] {
            let report = try vitrine.run(["doctor", "-o", "json"] + arguments, variables: Self.nowhere)
            #expect(try Self.finding(name, in: report.output).contains("Address already in use"), "\(report.output)")
        }
        let both = ["doctor", "-o", "json", "--listen", "*:9000", "--operations-listen", "127.0.0.1:9000"]
        let overlapping = try Self.finding("operations.listen", in: vitrine.run(both, variables: Self.nowhere).output)
        #expect(overlapping.contains("127.0.0.1:9000 overlaps with *:9000 of listen"), "\(overlapping)")
        let free = try vitrine.run(["doctor", "-o", "json", "--operations-listen", "127.0.0.1:0"], variables: Self.nowhere)
        #expect(try Self.finding("operations.listen", in: free.output).contains("127.0.0.1:0 is free"), "\(free.output)")
        try serve.stop()
    }

    private static func finding(_ name: String, in report: String) throws -> Substring {
        let checks = report.split(separator: "{")
        return try #require(checks.first { $0.contains("\"name\": \"\(name)\"") })
    }

    @Test("A server responds to operators while clients use all connections, and while an event loop stalls")
    func operations() throws {
        let arguments = ["--limits-connections", "2", "--operations-listen", "127.0.0.1:0"]
        var serve = try RunningServe(vitrine, arguments, variables: Self.nowhere)
        try vitrine.wait(for: "operations.listening", &serve.child, serve.log)
        let address = try operationsAddress(serve)
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        for _ in 0..<2 {
            let hold = "exec 3<>/dev/tcp/127.0.0.1/\(serve.port) && read -r <&3"
            _ = try ProcessLaunch("bash", ["-c", hold]).start(input: nothing, output: nothing)
        }
        try vitrine.wait { try fetch("\(address)/metrics").contains("\nvitrine_http_connections 2\n") }
        #expect(try serve.send("/healthz").hasSuffix("503"))
        #expect(try fetch("\(address)/healthz") == "alive\n200")
        #expect(try fetch("\(address)/readyz").hasSuffix("503"))
        #expect(try fetch("\(address)/metrics").contains("\nvitrine_http_connections_rejected_total 1\n"))
        #expect(try fetch("\(address)/v1/us/feeds").hasSuffix("404"), "it has nothing else")
        try serve.stop()

        let (text, status) = try BuiltProgram.runScenario("held-loop")
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("{") }
        #expect(lines == ["looked", "healthz 200", "readyz 503", "metrics 200", "late", "in time"] && status == .code(0), "\(text)")
    }

    @Test("Two servers on one machine both respond to operators, and a configured address is never replaced by another")
    func operationsOfTwo() throws {
        var first = try RunningServe(vitrine, variables: Self.nowhere)
        var second = try RunningServe(vitrine, variables: Self.nowhere)
        try vitrine.wait(for: "operations.listening", &first.child, first.log)
        try vitrine.wait(for: "operations.listening", &second.child, second.log)
        let addresses = [try operationsAddress(first), try operationsAddress(second)]
        #expect(addresses[0] != addresses[1])
        for address in addresses { #expect(try fetch("\(address)/healthz") == "alive\n200") }
        let taken = addresses[0].dropFirst("http://".count)
        let refused = try vitrine.run(
            ["serve", "--listen", "127.0.0.1:0", "--operations-listen", String(taken)], variables: Self.nowhere)
        #expect(
            refused.status == .code(4) && refused.errors.contains("cannot listen on \(taken): Address already in use"), "\(refused.errors)")
        try first.stop()
        try second.stop()
        var without = try RunningServe(vitrine, ["--operations-listen", "none"], variables: Self.nowhere)
        try without.stop()
        #expect(try !without.text().contains("operations.listening"))
    }

    private func operationsAddress(_ serve: borrowing RunningServe) throws -> String {
        let line = try #require(try serve.text().split(separator: "\n").first { $0.contains("operations.listening") })
        return String(try #require(line.firstMatch(of: #/"address":"([^"]+)"/#)).1)
    }

    private func fetch(_ url: String) throws -> String {
        try ProcessLaunch("curl", ["-sS", "--max-time", "20", "-w", "%{http_code}", url]).output(within: .seconds(30)).text
    }

    @Test("Servers share a port, and one continues when another stops")
    func sharedPort() throws {
        var first = try RunningServe(vitrine, ["--share-port"], variables: Self.nowhere)
        var second = try RunningServe(vitrine, listen: "127.0.0.1:\(first.port)", ["--share-port"], variables: Self.nowhere)
        try first.stop()
        for _ in 0..<10 { #expect(try second.send("/healthz") == "alive\n200") }
        try second.stop()
        let report = try vitrine.run(["doctor", "--share-port", "-o", "json"])
        #expect(report.output.contains("share-port"))
    }

    @Test("A server replaces a stale socket file, but not one that is in use")
    func unixSocket() throws {
        let socket = "\(vitrine.folder)/socket"
        let places = "127.0.0.1:0,unix:\(socket)"
        var killed = try RunningServe(vitrine, listen: places, variables: Self.nowhere)
        #expect(try killed.send("/healthz", "--unix-socket", socket) == "alive\n200")
        #expect(try vitrine.run(["serve", "--listen", places], variables: Self.nowhere).errors.contains("Address already in use"))
        try RunningProcess.send(.kill, to: killed.child.id)
        _ = try vitrine.end(of: &killed.child)
        var next = try RunningServe(vitrine, listen: places, variables: Self.nowhere)
        #expect(try next.send("/healthz", "--unix-socket", socket) == "alive\n200")
        try next.stop()
    }

    @Test("A server accepts the client address only from trusted proxies")
    func forwarding() throws {
        let socket = "\(vitrine.folder)/socket"
        let arguments = ["--trusted-proxies", "unix", "--log-level", "debug"]
        var serve = try RunningServe(vitrine, listen: "127.0.0.1:0,unix:\(socket)", arguments, variables: Self.nowhere)
        let forwarded = ["-i", "-H", "X-Forwarded-For: 198.51.100.9, 203.0.113.7", "-H", "X-Forwarded-Proto: https"]
        #expect(try serve.send("/healthz", forwarded + ["--unix-socket", socket]).contains("strict-transport-security: "))
        #expect(try !serve.send("/healthz", forwarded).contains("strict-transport-security: "))
        try serve.stop()
        let clients = try serve.text().matches(of: #/"path":"/healthz".*"client":"([^"]+)"/#).map(\.1)
        #expect(clients == ["203.0.113.7", "127.0.0.1"])
    }

    @Test("Servers that follow each other on an inherited socket lose no request")
    func handedOver() throws {
        // Acts as a service manager: it opens the socket and starts each server with it.
        let manager = """
            use Socket; $^F = 10;
            socket(S, PF_INET, SOCK_STREAM, 0) && bind(S, sockaddr_in(0, INADDR_LOOPBACK)) && listen(S, 128) && fileno(S) == 3 or die "$!";
            for my $round (1..4) {
                my $pid = fork();
                if (!$pid) {
                    open(STDERR, ">", "$ARGV[0]-$round.errors");
                    $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1;
                    exec($ARGV[1], "serve");
                }
                waitpid($pid, 0);
                exit(1) if $?;
            }
            """
        let output = "\(vitrine.folder)/handed"
        let script = "cd \(vitrine.folder) && exec perl -e '\(manager)' \(output) \(vitrine.path)"
        let environment = vitrine.environment.merging(Self.nowhere) { $1 }.merging(["VITRINE_SYNC_KEYS": Vitrine.syncKeys]) { $1 }
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        var parent = try ProcessLaunch("sh", ["-c", script], environment: environment, isDetached: true).start(
            input: nothing, output: nothing)
        var ports: Set<Int> = []
        var clients: [String] = []
        for round in 1...4 {
            try vitrine.wait(for: "server.listening", &parent, "\(output)-\(round).errors")
            let text = try vitrine.text("\(output)-\(round).errors")
            #expect(text.contains("inherited socket"))
            let port = try #require(text.matches(of: #/"ports":\["([0-9]+)"\]/#).first.flatMap { Int($0.1) })
            ports.insert(port)
            // A client with a connection per request, and one with several requests per connection.
            if round == 1 { clients = try [1, 1, 3].map { try startClient(port: port, requests: $0) } }
            let child = try #require(try childOf(parent.id))
            let counts = try clients.map { try statuses($0).count }
            try vitrine.wait { try zip(clients, counts).allSatisfy { try statuses($0).count > $1 + 10 } }
            if round == 4 {
                _ = try vitrine.write("", to: "enough")
                for client in clients { try vitrine.wait { try vitrine.text(client).contains("done") } }
            }
            try RunningProcess.send(.terminate, to: child)
        }
        #expect(ports.count == 1)
        for client in clients { #expect(Set(try statuses(client)) == ["200"]) }
        #expect(try vitrine.end(of: &parent) == .code(0))
    }

    /// Sends the same request repeatedly until a file `enough` exists, and records the status of each response.
    private func startClient(port: Int, requests: Int) throws -> String {
        let log = "\(vitrine.folder)/client-\(UInt32.random(in: .min ... .max))"
        let urls = [String](repeating: "-o /dev/null http://127.0.0.1:\(port)/healthz", count: requests).joined(separator: " ")
        let send = "curl -sS --max-time 20 -w '%{http_code}\\n' \(urls)"
        let script = "cd \(vitrine.folder); while [ ! -e enough ]; do \(send); done >\(log) 2>&1; echo done >>\(log)"
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        _ = try ProcessLaunch("sh", ["-c", script], environment: vitrine.environment).start(input: nothing, output: nothing)
        return log
    }

    /// Returns all lines but the last, which may be incomplete.
    private func statuses(_ log: String) throws -> [Substring] {
        guard FileStatus(following: log) != nil else { return [] }
        return try vitrine.text(log).split(separator: "\n").dropLast()
    }

    private func childOf(_ parent: Int32) throws -> Int32? {
        let text = String(decoding: try Files.read("/proc/\(parent)/task/\(parent)/children"), as: UTF8.self)
        return text.split(separator: " ").first.flatMap { Int32($0) }
    }

    @Test("SIGHUP loads the current certificate for new connections, and keeps the previous one if it is invalid")
    func certificate() throws {
        try makeCertificate("first")
        let arguments = ["--tls-certificate", "\(vitrine.folder)/chain.pem", "--tls-key", "\(vitrine.folder)/key.pem"]
        var serve = try RunningServe(vitrine, arguments, variables: Self.nowhere)
        #expect(try subject(of: serve.port) == "first")
        #expect(try serve.send("/healthz", "-k", "--http2", "-w", "%{http_version} %{http_code}", scheme: "https") == "alive\n2 200")
        try makeCertificate("second")
        try serve.signal(.hangup, until: "tls.reloaded")
        #expect(try subject(of: serve.port) == "second")
        #expect(try ProcessLaunch("cp", ["/dev/null", "\(vitrine.folder)/chain.pem"]).output().status.isSuccess)
        try serve.signal(.hangup, until: "tls.reload.failed")
        #expect(try subject(of: serve.port) == "second")
        try serve.stop()
        let refused = try vitrine.run(["serve"] + arguments, variables: Self.nowhere)
        #expect(refused.status == .code(5) && refused.errors.contains("error: cannot set up TLS: "), "\(refused.errors)")
        #expect(refused.errors.contains("chain.pem"))
        let report = try vitrine.run(["doctor", "-o", "json"] + arguments, variables: Self.nowhere)
        #expect(report.output.contains("PEM files of one certificate and its key"), "\(report.output)")
    }

    @Test("SIGHUP without a certificate changes nothing")
    func hangup() throws {
        var serve = try RunningServe(vitrine, variables: Self.nowhere)
        try serve.signal(.hangup, until: "tls.reload.skipped")
        #expect(try serve.send("/healthz") == "alive\n200")
        try serve.stop()
    }

    private func makeCertificate(_ name: String) throws {
        let files = ["-keyout", "\(vitrine.folder)/key.pem", "-out", "\(vitrine.folder)/chain.pem"]
        let arguments = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)"]
        let (text, status) = try ProcessLaunch("openssl", arguments + files).output(within: .seconds(30))
        #expect(status.isSuccess, "\(text)")
    }

    private func subject(of port: Int) throws -> String? {
        let text = try ProcessLaunch("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"]).output(within: .seconds(30)).text
        return text.matches(of: #/subject=CN = ([a-z]+)/#).first.map { String($0.1) }
    }
}

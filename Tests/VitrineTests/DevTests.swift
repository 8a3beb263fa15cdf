import Host
import TestSupport
import Testing

/// `vitrine dev` in normal use and under failures.
@Suite(.serialized, .onOwnThread) struct DevTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private func waitUntilReady(_ child: inout ChildProcess, _ log: String) throws { try vitrine.wait(for: "dev.ready", &child, log) }

    private func start(_ name: String) throws -> ChildProcess {
        try vitrine.start(["dev", "--listen", "127.0.0.1:0"], output: "\(vitrine.folder)/\(name)")
    }

    private func serversIn(_ folder: String) throws -> [Int32] {
        try Files.names(in: "/proc").compactMap { Int32($0) }
            .filter { RunningProcess(id: $0)?.arguments.contains("\(folder)/.vitrine/postgres/data") == true }
    }

    @Test("Dev starts a database that accepts connections and a server that is ready, and Ctrl-C stops both")
    func lifecycle() throws {
        var child = try start("first")
        try waitUntilReady(&child, "\(vitrine.folder)/first.errors")
        #expect(try vitrine.run(["db", "psql", "--", "-XAtc", "SELECT 6 * 7"]).output == "42\n")
        #expect(try vitrine.run(["dev"]).status == .code(4))
        let address = try vitrine.text("\(vitrine.folder)/first.errors").matches(of: #/"addresses":\["(http:[^"]+)"\]/#).first
        let url = try #require(address?.1)
        try vitrine.wait { try ProcessLaunch("curl", ["-s", "\(url)/readyz"]).output(within: .seconds(30)).text == "ready\n" }
        #expect(
            try vitrine.run(["db", "psql", "--", "-XAtc", "SELECT kind, count(*) FROM items GROUP BY 1 ORDER BY 1"]).output
                == "topApp|120\nfoodApp|80\n")
        // The loaded items are published a little later.
        try vitrine.wait {
            try ProcessLaunch("curl", ["-s", "\(url)/v1/us/items?limit=2"]).output(within: .seconds(30)).text.contains("\"title\"")
        }

        try RunningProcess.send(.interrupt, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
        #expect(try serversIn(vitrine.folder) == [])
    }

    @Test("An open transaction does not prevent dev from stopping")
    func openTransaction() throws {
        var child = try start("first")
        try waitUntilReady(&child, "\(vitrine.folder)/first.errors")
        let output = "\(vitrine.folder)/psql"
        var client = try vitrine.start(
            ["db", "psql", "--", "-c", "BEGIN; CREATE TABLE t(); SELECT pg_sleep(3600)"], output: output)
        let running = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        let limit = ContinuousClock.now + .seconds(30)
        while try vitrine.run(["db", "psql", "--", "-XAtc", running]).output != "1\n" {
            try #require(client.ended() == nil && ContinuousClock.now < limit)
        }
        try RunningProcess.send(.terminate, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
        _ = try vitrine.end(of: &client)
        #expect(try vitrine.text("\(output).errors").contains("terminating connection due to administrator command"))
    }

    @Test("After ten kills at random times of a start, dev leaves a valid cluster that starts")
    func killed() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        for round in 0..<10 {
            var child = try start("round-\(round)")
            _ = Signal.next(of: [], within: .milliseconds(Int.random(in: 0...(round < 5 ? 2_500 : 400), using: &random)))
            try RunningProcess.send(.kill, to: child.id)
            _ = try child.wait()
        }
        var child = try start("last")
        try waitUntilReady(&child, "\(vitrine.folder)/last.errors")
        let script = """
            CREATE EXTENSION IF NOT EXISTS amcheck; SELECT count(*) FROM pg_database WHERE datname = 'vitrine'
            """
        #expect(try vitrine.run(["db", "psql", "--", "-XAtqc", script]).output == "1\n", "seed \(seed)")
        let amcheck = "$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)/pg_amcheck"
        let (report, status) = try ProcessLaunch(
            "sh", ["-c", "\(amcheck) --heapallindexed -h \(vitrine.folder)/.vitrine/postgres -U vitrine vitrine"]
        ).output()
        #expect(status.isSuccess, "seed \(seed): \(report)")
        try RunningProcess.send(.interrupt, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
        #expect(try serversIn(vitrine.folder) == [])
        #expect(try Files.names(in: "\(vitrine.folder)/.vitrine/postgres").contains { $0.hasPrefix("vitrine-unfinished") } == false)
    }

    @Test("With a configured database, dev migrates it, logs its URL without the password, and starts no server")
    func givenDatabase() throws {
        try RunningDev.with(vitrine) { dev in
            let other = try Vitrine()
            let log = "\(other.folder)/given.errors"
            var child = try other.start(["dev", "--listen", "127.0.0.1:0"], try dev.create("given"), output: "\(other.folder)/given")
            try waitUntilReady(&child, log)
            try RunningProcess.send(.interrupt, to: child.id)
            #expect(try other.end(of: &child) == .code(0))
            let text = try other.text(log)
            #expect(text.contains("postgresql://vitrine:•••@/given?") && !text.contains("hunter2"))
            #expect(text.contains("migrations.finished"))
            #expect(FileStatus(following: "\(other.folder)/.vitrine") == nil)
            #expect(try dev.dump("given") == (try dev.dump("vitrine")))
        }
    }

    @Test("If its port is in use, dev reports it and stops its database")
    func portInUse() throws {
        try RunningDev.with(vitrine) { _ in
            let other = try Vitrine()
            let text = try vitrine.text("\(vitrine.folder)/dev.errors")
            let port = try #require(text.matches(of: #/"ports":\["([0-9]+)"\]/#).first?.1)
            let refused = try other.run(["dev", "--listen", "127.0.0.1:\(port)"])
            #expect(refused.status == .code(4) && refused.errors.contains("cannot listen on 127.0.0.1:\(port)"), "\(refused.errors)")
            #expect(refused.errors.contains("postgres.stopped"))
            #expect(try serversIn(other.folder) == [])
        }
    }

    @Test("With a database that it cannot migrate, dev reports the reason and stops its own server")
    func refusedDatabase() throws {
        try RunningDev.with(vitrine) { dev in
            try dev.send("vitrine", "UPDATE vitrine_meta.migrations SET checksum = sha256('another')")
        }
        let refused = try vitrine.run(["dev"])
        #expect(refused.status == .code(4))
        #expect(
            refused.errors.contains(
                "error: the migrations of the database differ from those of this program\n  0001_create_schema was changed"))
        #expect(!refused.errors.contains("dev.ready") && refused.errors.contains("postgres.stopped"))
        #expect(try serversIn(vitrine.folder) == [])
    }

    @Test("Dev runs as a user who is not root", .enabled(if: User.current.isRoot, "only root can become another user"))
    func notRoot() throws {
        let home = "\(vitrine.folder)/home"
        try Files.makeDirectory(home)
        try Files.give(folder: home, to: try #require(User(named: "nobody")))
        let arguments = [
            "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--", vitrine.path, "dev", "--listen", "127.0.0.1:0",
            "--postgres-directory", "\(home)/shop",
        ]
        let log = "\(vitrine.folder)/other"
        let nothing = try Descriptor(opening: "/dev/null", .read)
        let output = try Descriptor(opening: log, .append)
        var child = try ProcessLaunch("setpriv", arguments, isDetached: true).start(input: nothing, output: output)
        try waitUntilReady(&child, log)
        try RunningProcess.send(.interrupt, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
        #expect(FileStatus(following: "\(home)/shop/data")?.owner == User(named: "nobody")?.id)
    }

    @Test("A restrictive umask does not prevent root from starting dev")
    func mask() throws {
        let log = "\(vitrine.folder)/masked"
        let nothing = try Descriptor(opening: "/dev/null", .read)
        let output = try Descriptor(opening: log, .append)
        let command = "umask 077; cd \(vitrine.folder); exec \(vitrine.path) dev --listen 127.0.0.1:0"
        var child = try ProcessLaunch("sh", ["-c", command], isDetached: true).start(input: nothing, output: output)
        try waitUntilReady(&child, log)
        try RunningProcess.send(.hangup, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
    }

    @Test("If its server dies, dev reports an error and exits with 1")
    func serverDies() throws {
        var child = try start("first")
        try waitUntilReady(&child, "\(vitrine.folder)/first.errors")
        for server in try serversIn(vitrine.folder) { try RunningProcess.send(.quit, to: server) }
        #expect(try vitrine.end(of: &child) == .code(1))
        #expect(try vitrine.text("\(vitrine.folder)/first.errors").contains("error: "))
    }
}

import API
import EventLoop
import Host
import Postgres
import Settings
import TestDatabase
import Testing

@testable import CLI
@testable import Server

@Suite("The probe of the database", .databaseForEachTest)
struct DatabaseProbeTests {
    private static func unsuitable(_ state: DatabaseState) -> Bool {
        if case .unsuitable(let reason) = state { reason.contains("9999_drop_things") } else { false }
    }

    private static func administer(_ sql: String, on loop: EventLoop) async throws {
        let scratch = try ScratchDatabase.current
        let url = try DatabaseURL(parsing: scratch.url.exposed.replacing("/\(scratch.name)?", with: "/postgres?"))
        let connection = try await PostgresConnection.connect(.patient(url), on: loop, until: .soon)
        defer { connection.close() }
        try await connection.runScript("administer", sql, until: .soon)
    }

    private static func withProbe(_ body: @escaping @Sendable (DatabaseProbe, EventLoop) async throws -> Void) async throws {
        let probe = DatabaseProbe(try ScratchDatabase.current.configuration, try .product())
        try await withLoop { loop in
            let result: Result<Void, any Error>
            do { result = .success(try await body(probe, loop)) } catch { result = .failure(error) }
            probe.close()
            try result.get()
        }
    }

    @Test("The probe sees the database while every connection of a serving pool is leased")
    func fullPool() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withPool(configuration, maximum: 1) { pool in
            try await pool.withConnection(until: .soon) { _ in
                try await Self.withProbe { probe, loop in
                    #expect(await probe.inspect(on: loop) == .current)
                }
            }
        }
    }

    @Test("The probe reports an unsuitable schema through an outage, until the database has another one")
    func outage() async throws {
        let name = try ScratchDatabase.current.name
        let breaking = "INSERT INTO vitrine_meta.migrations VALUES (9999, 'drop_things', sha256('2'), now(), 1, true)"
        let closing = """
            ALTER DATABASE \(name) ALLOW_CONNECTIONS false;
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(name)'
            """
        try await withConnection { connection in try await connection.runScript("break", breaking, until: .soon) }
        try await Self.withProbe { probe, loop in
            #expect(Self.unsuitable(await probe.inspect(on: loop)))
            try await Self.administer(closing, on: loop)
            for _ in 0..<2 { #expect(Self.unsuitable(await probe.inspect(on: loop))) }
            try await Self.administer("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", on: loop)
            try await withConnection { connection in
                try await connection.runScript("repair", "DELETE FROM vitrine_meta.migrations WHERE number = 9999", until: .soon)
            }
            #expect(await probe.inspect(on: loop) == .current)
            try await Self.administer(closing, on: loop)
            #expect(await probe.inspect(on: loop) == .away)
        }
    }

    @Test("The probe opens another session in the same check if the server has ended the last one")
    func ended() async throws {
        try await Self.withProbe { probe, loop in
            #expect(await probe.inspect(on: loop) == .current)
            let ending = """
                SELECT pg_terminate_backend(pid, 60000)::text FROM pg_stat_activity
                WHERE application_name = 'vitrine readiness' AND datname = current_database()
                """
            let sessions = Locked(0)
            try await withConnection { connection in
                let ended = try await connection.rows(of: PostgresQuery("end", ending), as: String.self, until: .soon)
                sessions.withLock { $0 = ended.count }
            }
            #expect(sessions.withLock { $0 } == 1)
            #expect(await probe.inspect(on: loop) == .current)
        }
    }
}

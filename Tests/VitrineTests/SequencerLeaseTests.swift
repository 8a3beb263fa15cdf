import EventLoop
import Postgres
import TestDatabase
import Testing

@testable import CLI
@testable import Server

@Suite("The session of the sequencer", .database)
struct SequencerLeaseTests {
    @Test("The session and its lock end soon after the process or machine of the leader, and its commits are durable")
    func settings() async throws {
        let configuration = SequencerJob.lasting(try ScratchDatabase.current.configuration)
        #expect(configuration.serverTimeout == .seconds(2))
        try await withConnection(configuration) { connection in
            let names = ["idle_session_timeout", "idle_in_transaction_session_timeout", "synchronous_commit"]
            let query = PostgresQuery("settings", "SELECT current_setting(name) FROM unnest($1::text[]) AS name", names)
            let settings = try await connection.rows(of: query, as: String.self, until: .soon)
            #expect(settings == ["5s", "2min", "on"])
        }
    }
}

import EventLoop
import Host
import Postgres
import TestDatabase
import TestSupport
import Testing

@Suite("A pool during an outage of a real server", .onOwnThread)
struct PoolOutageTests {
    @Test("A request fails at its deadline, or succeeds once the server is back, and the observer gets both changes")
    func outage() async throws {
        let server = try DisposableServer()
        let configuration = PostgresConfiguration.patient(try server.url)
        defer { do { try server.remove() } catch { Issue.record(error) } }
        let notices = Locked<[PoolStatusChange]>([])

        try await withPool(configuration, minimum: 2, maximum: 4, observer: { notice in notices.withLock { $0.append(notice) } }) { pool in
            let query = PostgresQuery("one", "SELECT 1")
            #expect(try await pool.run(query, until: .soon).rowCount == 1)
            try server.stop()
            let error = await Self.failure(of: query, in: pool)
            #expect(error.code == .connectFailed)
            #expect(error.classification == .unavailable)
            #expect(error.message.hasPrefix("the database server could not be reached before the deadline: "), "\(error)")

            let patient = Task(executorPreference: pool.loop) { try await pool.run(query, until: .soon).rowCount }
            try server.start()
            #expect(try await patient.value == 1)
            #expect(!pool.status.isServerAway)
        }
        let reported = notices.withLock { $0 }
        #expect(reported.count == 2)
        guard case .serverAway? = reported.first, case .serverBack? = reported.last else {
            Issue.record("\(reported)")
            return
        }
    }

    /// Returns the first connection failure. Idle connections may end with another error before the pool detects the outage.
    private static func failure(of query: PostgresQuery, in pool: PostgresPool) async -> PostgresError {
        while true {
            do throws(PostgresError) {
                try await pool.run(query, until: .after(.seconds(1)))
            } catch {
                if error.code == .connectFailed { return error }
            }
        }
    }
}

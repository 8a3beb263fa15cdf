import Postgres
import TestDatabase
import TestSupport
import Testing

@Suite("Orders and their spans", .databaseForEachTest)
struct PublishingModelTests {
    private static let histories = TestVariable.number("ORDER_HISTORIES")
    private static let size: UInt64 = histories == nil ? 15 : 250
    /// The first seeds of some histories each. In two of the fixed ones, a base that cannot move gets another end when a storefront
    /// changes its time zone.
    private static let firstSeeds = histories.map { Array(stride(from: 0, to: $0, by: Int(size))) } ?? [1, 8_491, 15_903, Seeds.fresh]

    @Test("The live revisions, the next changes and every rejection equal those of a naive model", arguments: firstSeeds)
    func model(firstSeed: UInt64) async throws {
        try await withConnection { connection in
            try await connection.runScript("clock", OrderDatabase.script, until: .soon)
            let clocks = try OrderHistory.zones.map { try ZoneClock($0) }
            for seed in (0..<Self.size).map({ firstSeed &+ $0 }) {
                let history = OrderHistory(seed: seed, clocks: clocks)
                let outcomes = try await Self.run(history, connection)
                guard outcomes != history.steps.map(\.expected) else { continue }
                let failing = zip(history.steps, outcomes).prefix { $0.expected == $1 }.count
                let (step, outcome) = (history.steps[failing], outcomes[failing])
                // Most questions have hundreds of lines.
                let lines = step.expected.split(separator: "\n").difference(from: outcome.split(separator: "\n")).prefix(5)
                let log = history.steps.prefix(failing).filter { !$0.isQuestion }.map { "\($0.now) \($0.statement) => \($0.expected)" }
                Issue.record(
                    "seed \(seed), step \(failing), \(step.now) \(step.statement): \(Array(lines))\n\(log.joined(separator: "\n"))")
            }
        }
    }

    @Test("The histories contain every kind of change and rejection")
    func coverage() throws {
        let clocks = try OrderHistory.zones.map { try ZoneClock($0) }
        let histories = (1..<60).map { OrderHistory(seed: $0, clocks: clocks) }
        #expect(histories.allSatisfy { $0.minutes >= OrderHistory.fewestMinutes })
        let steps = histories.flatMap(\.steps)
        let expected = Set(steps.map { $0.expected.split(separator: " ").first.map(String.init) ?? "" })
        #expect(
            expected.isSuperset(of: [
                "ok", "P0002", "55000", "publication_spans_history_check", "publication_spans_during_check",
                "publication_spans_during_excl",
                "publications_local_base_check", "publications_storefronts_fkey", "publication_spans_storefront_fkey",
            ]))
        for call in [
            "vitrine.publish", "vitrine.cancel_publication", "vitrine.roll_back", "SET time_zone", "SET closed_at = '",
            "SET closed_at = NULL", "DELETE FROM",
            "INSERT INTO",
        ] {
            #expect(steps.contains { $0.statement.contains(call) && $0.expected.hasPrefix("ok") }, "\(call)")
        }
    }

    /// Runs the statements of a history and removes everything that they wrote.
    private static func run(_ history: OrderHistory, _ connection: PostgresConnection) async throws -> [String] {
        try await connection.runScript("begin", "BEGIN", until: .soon)
        let query = PostgresQuery(
            "history", "SELECT vitrine.run_history($1::text[]::timestamptz[], $2::text[])", history.steps.map(\.now),
            history.steps.map(\.statement))
        let outcomes = try await connection.rows(of: query, as: [String].self, until: .soon)
        try await connection.runScript("rollback", "ROLLBACK", until: .soon)
        return outcomes.first ?? []
    }
}

import Postgres
import Settings
import Values

/// Takeovers of a feed in all storefronts, one after another.
struct SwitchSchedule: Sendable {
    static let feed = "today"
    /// The time until the first takeover, in which caches start and store every page.
    private static let lead = Duration.seconds(10)

    /// The start and the end of each takeover, in order.
    let switches: [Timestamp]
    /// The revision that all takeovers show.
    let revision: Int
    /// The time at which requests end.
    var end: Timestamp { switches[switches.count - 1].advanced(by: .seconds(4)) }

    init(switches: [Timestamp], revision: Int) { (self.switches, self.revision) = (switches, revision) }

    /// Plans takeovers that last half of a period each.
    init(planning count: Int, every period: Duration, in url: DatabaseURL) throws {
        let client = try PostgresClient(url)
        let save = PostgresQuery(
            "save",
            """
            SELECT vitrine.save_revision('\(Self.feed)', 'trial', (SELECT replace(document, '"Today"', '"Taken over"')
                FROM vitrine.revisions WHERE feed = '\(Self.feed)' AND line = 'main' ORDER BY number DESC LIMIT 1))::bigint
            """, isPrepared: false)
        guard let revision = try client.run({ try await $0.rows(of: save, as: Int.self, until: .late) }).first else {
            throw BenchmarkFailure(reason: "no revision was saved")
        }
        self.revision = revision
        let plan = PostgresQuery(
            "plan",
            """
            WITH times AS (
                SELECT date_trunc('milliseconds', clock_timestamp()) + interval '\(Self.lead / .seconds(1)) s' + n * interval '\(period / .seconds(1)) s' AS start
                FROM generate_series(0, \(count - 1)) AS n
            ), spans AS (SELECT start, start + interval '\(period / .seconds(2)) s' AS stop FROM times)
            SELECT (extract(epoch FROM start) * 1000000)::bigint FROM spans,
                LATERAL vitrine.publish(
                    '\(Self.feed)', 'takeover', \(revision), vitrine.instant_text(start), vitrine.instant_text(stop)) ORDER BY start
            """, isPrepared: false)
        let times: [Int] = try client.run { try await $0.rows(of: plan, as: Int.self, until: .late) }
        let starts = times.map { Timestamp(clamping: $0) }
        guard starts.count == count else { throw BenchmarkFailure(reason: "\(starts.count) of \(count) takeovers were planned") }
        switches = starts.flatMap { [$0, $0.advanced(by: period / 2)] }
        try client.close()
    }

    /// Returns the number of switches before the page became valid. The page ends with the next switch, or with an
    /// earlier change that leaves its revision.
    func switchesBefore(_ page: ScheduledPage) -> Int {
        guard let end = page.end else { return switches.count }
        return switches.count { $0 < end }
    }

    /// Whether the page shows the revision that it must show after that many switches.
    func isRight(_ page: ScheduledPage, after count: Int) -> Bool { (page.revision == revision) == (count % 2 == 1) }
}

/// The part of a page that shows when it was valid.
struct ScheduledPage: Equatable {
    let revision: Int
    /// The time of the next scheduled change. Nil if no change is scheduled.
    let end: Timestamp?

    /// Returns nil if the body is not a page.
    init?(_ body: [UInt8]) {
        // Both fields come before the sections.
        let text = String(decoding: body.prefix(1_024), as: UTF8.self)
        guard let revision = text.firstMatch(of: #/"revision":([0-9]+)/#).flatMap({ Int($0.1) }) else { return nil }
        self.revision = revision
        end = text.firstMatch(of: #/"validUntil":"([^"]+)"/#).flatMap { Timestamp(String($0.1)) }
    }

    init(revision: Int, end: Timestamp?) { (self.revision, self.end) = (revision, end) }
}

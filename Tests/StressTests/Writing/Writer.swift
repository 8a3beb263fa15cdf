import EventLoop
import Feeds
import Host
import Postgres
import Publishing
import TestDatabase
import TestSupport

/// A task that changes the catalog or the feeds repeatedly until it is stopped, through all failures of the database.
struct Writer {
    /// The kind of changes. There is one writer of each kind.
    enum Habit: CaseIterable, Sendable {
        /// One item at a time: its rating, its title, its availability.
        case single
        /// Many items in one statement.
        case bulk
        /// Changes that are rolled back, partly or as a whole.
        case rollback
        /// Changes that commit long after they were written.
        case late
        /// Two items that always have the same value.
        case pairs
        /// Items that are deleted and created again.
        case deletions
        /// Imports of files.
        case imports
        /// Revisions of feeds, in all storefronts or in some, and cancellations. Half of the revisions have sections for the arms
        /// of an experiment.
        case publications
        /// Experiments that are created, start, move their ranges, end and are deleted, and the holdout.
        case experiments
    }

    /// A number that is never committed.
    static let dirty = 6_660_666

    let site: StressSite
    let habit: Habit
    let outcome: StressOutcome
    private var random: SeededRandom

    init(_ habit: Habit, in site: StressSite, seed: UInt64, _ outcome: StressOutcome) {
        self.site = site
        self.habit = habit
        self.outcome = outcome
        random = SeededRandom(seed: seed)
    }

    mutating func run(on loop: EventLoop, while isToGoOn: () -> Bool) async throws {
        while isToGoOn() {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(site.configuration, on: loop, until: .after(.seconds(20)))
                defer { connection.close() }
                try await connection.runScript("functions", CatalogRows.functions, until: .soon)
                while isToGoOn() {
                    try await change(connection)
                    try await pause(loop, .milliseconds(number(0...habit.maxPause)))
                }
            } catch {
                // Servers are killed, and a writer of many rows may have to yield to another one.
                outcome.count("failed writes")
                try await loop.sleep(until: .after(.milliseconds(50)))
            }
        }
    }

    private func pause(_ loop: EventLoop, _ time: Duration) async throws(PostgresError) {
        do throws(EventLoopError) { try await loop.sleep(until: .after(time)) } catch { throw PostgresError(.cancelled, "stopped") }
    }

    private mutating func change(_ connection: PostgresConnection) async throws(PostgresError) {
        if habit == .imports { return try await site.importItems(numbered: number(0...9), rating: number(1...1_000), outcome) }
        if habit == .experiments { return try await changeExperiment(connection) }
        let script =
            habit == .publications ? publication() : "BEGIN; \(statements()) \(habit == .rollback && chance(2) ? "ROLLBACK" : "COMMIT");"
        do throws(PostgresError) {
            try await connection.runScript("\(habit)", script, until: .soon)
            outcome.count("writes")
        } catch {
            guard connection.isUsable, error.classification != .unavailable else { throw error }
            // A deadlock, or a constraint of the database.
            outcome.count("refused writes")
            try await connection.runScript("rollback", "ROLLBACK", until: .soon)
        }
    }

    private mutating func changeExperiment(_ connection: PostgresConnection) async throws(PostgresError) {
        let change = ExperimentChange(using: &random)
        do {
            let session = PostgresSession(connection, within: .seconds(60))
            outcome.count(try await session.transaction { try await change.run(in: $0) })
            outcome.count("writes")
        } catch let error as PostgresError {
            guard connection.isUsable, error.classification != .unavailable else { throw error }
            outcome.count("refused writes")
        } catch {
            outcome.violate(.orderly, "\(change): \(error)")
        }
    }

    private mutating func statements() -> String {
        switch habit {
        case .single:
            switch number(0...5) {
            case 0: "UPDATE item_texts SET title = 'Title \(number(1...1_000))' WHERE locale = 'en' AND item_id = md5('\(item())')::uuid;"
            case 1: availability()
            case 2: "UPDATE items SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE slug = '\(item())';"
            default: rate(item(), number(1...1_000))
            }
        case .bulk: "UPDATE items SET rating_count = \(number(1...1_000)) WHERE slug LIKE 'item-%\(number(0...9))';"
        case .rollback:
            """
            \(rate(item(), number(1...1_000))) SAVEPOINT doubt; \(rate(item(), Self.dirty))
            UPDATE items SET rating_count = \(Self.dirty) WHERE slug LIKE 'item-\(number(1...9))%'; ROLLBACK TO doubt; \(rate(item(), number(1...1_000)))
            """
        case .late:
            "\(rate(item(), number(1...1_000))) SELECT pg_sleep(\(Double(number(50...800)) / 1_000)); \(rate(item(), number(1...1_000)))"
        case .pairs:
            pair(number(0...(StressSite.pairs - 1)), number(1...1_000_000))
        case .deletions:
            {
                let name = item()
                let again = chance(2) ? "SELECT pg_temp.top_app('\(name)', '{\"en\": \"Again\"}', rating => 4, ratings => 7);" : ""
                return "DELETE FROM items WHERE slug = '\(name)'; \(again)"
            }()
        case .imports, .publications, .experiments: ""
        }
    }

    private func rate(_ name: String, _ count: Int) -> String {
        "UPDATE items SET rating_average = 4, rating_count = \(count) WHERE slug = '\(name)';"
    }

    /// Changes both items in random order, sometimes with a pause.
    private mutating func pair(_ pair: Int, _ count: Int) -> String {
        let halves = ["a", "b"].shuffled(using: &random).map { rate("pair-\(pair)-\($0)", count) }
        return halves.joined(separator: chance(2) ? "SELECT pg_sleep(0.01);" : "")
    }

    private mutating func availability() -> String {
        let name = item()
        let places = ["us", "de"].filter { _ in chance(2) }.map {
            "INSERT INTO item_availability (item_id, storefront, during) SELECT id, '\($0)', '{(,)}' FROM items WHERE slug = '\(name)';"
        }
        let isEverywhere = chance(3)
        return """
            DELETE FROM item_availability WHERE item_id = md5('\(name)')::uuid;
            UPDATE items SET is_everywhere = \(isEverywhere) WHERE slug = '\(name)';
            \(isEverywhere ? "" : places.joined())
            """
    }

    private mutating func publication() -> String {
        let feed = StressSite.feeds[number(0...(StressSite.feeds.count - 1))]
        if chance(10) { return "UPDATE feeds SET archived_at = CASE WHEN archived_at IS NULL THEN now() END WHERE key = '\(feed)'" }
        if chance(5) { return cancellation(of: feed) }
        let sections = ["a", "b", "c"].shuffled(using: &random).prefix(number(1...3)).map { key in
            let rule = [#"{"kind": "topApp"}"#, #"{"category": "games"}"#, #"{"category": "tools"}"#][number(0...2)]
            let layout = [#"{"list": {}}"#, #"{"preset": "zoom-carousel"}"#][number(0...1)]
            return #"""
                {"key": "\#(key)", "title": {"en": "T\#(number(0...3))"}, "layout": \#(layout), "cell": "row", "rule": \#(rule),
                 "sort": "-rating", "size": \#(number(1...12))}
                """#
        }
        let more = (0..<(feed == StressSite.feeds[0] ? site.settings.sections : 0)).map { number in
            #"{"key": "more-\#(number)", "layout": {"list": {}}, "cell": "row", "rule": {"category": "games"}, "size": \#(1 + number % 5)}"#
        }
        return site.publication(of: feed, (armSections() + sections + more).joined(separator: ", "), order())
    }

    /// Returns a section for each arm of an experiment, or none.
    private mutating func armSections() -> [String] {
        guard chance(2) else { return [] }
        let experiment = ExperimentChange.keys[number(0...(ExperimentChange.keys.count - 1))]
        return ExperimentChange.arms.map { arm in
            #"""
            {"key": "\#(ExperimentChange.section(of: arm, in: experiment))", "layout": {"list": {}}, "cell": "row",
             "rule": {"kind": "topApp"}, "size": 3, "target": {"experiment": {"\#(experiment)": ["\#(arm)"]}}}
            """#
        }
    }

    /// Returns an order for random storefronts. It starts now or soon, and a takeover ends soon.
    private mutating func order() -> StressSite.Order {
        let storefronts = chance(2) ? "NULL" : storefronts()
        guard chance(2) else {
            return StressSite.Order(from: chance(2) ? "NULL" : instant(in: number(100...2_000)), storefronts: storefronts)
        }
        let start = ["NULL", instant(in: number(100...2_000)), wallClock(minutes: number(-2...0))][number(0...2)]
        // The wall clock of the end has passed in the storefronts that are further east.
        let end = chance(3) ? wallClock(minutes: number(1...2)) : instant(in: number(2_100...5_000))
        return StressSite.Order(layer: "takeover", from: start, until: end, storefronts: storefronts)
    }

    private mutating func storefronts() -> String {
        let places = ["de", "sa", "us"].shuffled(using: &random).prefix(number(1...2))
        return "'{\(places.joined(separator: ","))}'"
    }

    private func instant(in milliseconds: Int) -> String {
        "vitrine.instant_text(clock_timestamp() + interval '\(milliseconds) ms')"
    }

    /// Returns a time of the clock of a storefront, which is hours away in the others.
    private mutating func wallClock(minutes: Int) -> String {
        let zone = ["America/New_York", "Europe/Berlin"][number(0...1)]
        return """
            to_char(clock_timestamp() AT TIME ZONE '\(zone)' + interval '\(minutes) minutes', 'YYYY-MM-DD"T"HH24:MI')
            """
    }

    /// Returns the statement that cancels a publication that has not ended, in all storefronts or in some.
    private mutating func cancellation(of feed: String) -> String {
        """
        SELECT vitrine.cancel_publication(publication, \(chance(2) ? "NULL" : "array_agg(storefront)")) FROM (
            SELECT publication, storefront FROM vitrine.publication_spans
            WHERE feed = '\(feed)' AND coalesce(upper(during), 'infinity') > clock_timestamp() AND layer = 'takeover'
            ORDER BY random() LIMIT 1
        ) AS chosen GROUP BY publication
        """
    }

    private mutating func item() -> String { "item-\(number(0...(StressSite.items - 1)))" }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func chance(_ of: Int) -> Bool { number(1...of) == 1 }
}

extension Writer.Habit {
    /// The maximum pause between two changes, in milliseconds.
    fileprivate var maxPause: Int {
        switch self {
        case .single, .rollback, .pairs: 20
        case .late, .deletions: 60
        case .experiments: 200
        case .bulk: 300
        case .publications: 600
        case .imports: 1_500
        }
    }
}

import Catalog
import EventLoop
import Items
import JSON
import Postgres
import Resolve
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

/// A `World` in a database, with its sequencer and everything published so far.
struct History {
    /// A failure with the values that reproduce it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let site: Site
    private let settings: DrawnSettings
    private let maxTraced: Int
    private let maxChanges: Int
    private let maxImported: Int
    private let maxDue: Int
    /// Whether imports make half of the changes.
    private let areImports: Bool
    private var sequencer: Sequencer
    private let reader: PageReader
    /// The first time of the world, and its lead over the database clock.
    private let start: Timestamp
    private let clockAhead: Duration
    private(set) var world: World
    private var expected = ExpectedPages()
    private var snapshots: [StorefrontFeed: FeedSnapshot] = [:]
    private var ledger = Ledger()
    private var steps = 0
    /// The choices of the steps that drain only once; nil if each step publishes everything.
    private var partialSteps: SeededRandom?
    /// Whether the last step has left transactions or sections to the next one.
    private var isPartial = false
    /// The number of steps that did.
    private(set) var partial = 0

    /// With `leavesParts`, most steps drain once, so that transactions and due sections meet later changes.
    init(_ site: Site, seed: UInt64, items: Int, feeds: Int, leavesParts: Bool = false) async throws {
        self.site = site
        var settings = DrawnSettings(seed: seed)
        maxTraced = settings.draw("mostTraced", default: 20_000, or: [1, 5, 40])
        maxChanges = settings.draw("mostChanges", default: 10_000, or: [1, 3, 20])
        maxImported = settings.draw("maxImported", default: leavesParts ? 3 : 500, or: [1, 3, 20])
        areImports = settings.draw("imports", default: leavesParts ? 1 : 0, or: [1]) == 1
        maxDue = settings.draw("maxDue", default: leavesParts ? 1 : 8, or: [1, 3])
        partialSteps = leavesParts ? SeededRandom(seed: ~seed) : nil
        self.settings = settings
        sequencer = try site.sequencer(maxTraced: maxTraced, maxEdits: maxChanges, maxImported: maxImported, maxDue: maxDue)
        reader = try site.reader
        let now = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
        // A quarter past one of the next hours.
        let start = Timestamp(clamping: (now.microseconds / 3_600_000_000 + 2) * 3_600_000_000 + 900_000_000)
        clockAhead = now.duration(to: start)
        // Which items a section retains depends on the states in which it was composed.
        world = World(seed: seed, items: items, feeds: feeds, at: start, retains: !leavesParts)
        self.start = start
        sequencer.clockAhead = clockAhead
    }

    /// Makes a random change, publishes it and checks the result.
    mutating func step() async throws {
        steps += 1
        let before = expected.pages
        let onlyTime = steps > 1 && world.chance(3)
        let time = world.time
        if onlyTime || steps > 1 && world.chance(3) { world.passTime() }
        if !onlyTime && steps > 1 { world.change() }
        try await site.sql("SET vitrine.is_import = '\(areImports && steps % 2 == 0 ? "on" : "off")'")
        try await site.sql(world.takeScript())
        if world.chance(6) {
            sequencer = try site.sequencer(maxTraced: maxTraced, maxEdits: maxChanges, maxImported: maxImported, maxDue: maxDue)
        }
        sequencer.clockAhead = clockAhead + start.duration(to: world.time)
        let ends = try await validUntil()
        let wasPartial = isPartial
        let report = try await drain(once: drainsOnce())
        isPartial = !report.isComplete
        guard !isPartial else { return partial += 1 }
        for storefrontFeed in try await compare() {
            guard onlyTime, !wasPartial, expected.pages[storefrontFeed] != before[storefrontFeed], let end = ends[storefrontFeed] else {
                continue
            }
            if end.map({ $0 > world.time }) ?? true {
                throw failure("\(storefrontFeed) was to stay until \(end?.description ?? "for ever"), at \(time) as now at \(world.time)")
            }
        }
        if let next = report.nextTime, next <= world.time { throw failure("the next moment is \(next), at \(world.time)") }
        try await checkEnds()
    }

    private mutating func drainsOnce() -> Bool {
        guard var random = partialSteps else { return false }
        defer { partialSteps = random }
        return Int.random(in: 0..<3, using: &random) > 0
    }

    /// Compares all pages with the expected ones, and returns their feeds.
    private mutating func compare() async throws -> [StorefrontFeed] {
        expected.update(to: world, try await days())
        let storefrontFeeds = Set(expected.pages.keys).union(snapshots.keys).sorted { ($0.feed, $0.storefront) < ($1.feed, $1.storefront) }
        for storefrontFeed in storefrontFeeds { try check(storefrontFeed) }
        return storefrontFeeds
    }

    /// Publishes all transactions, in several drains if the limit of changes is small, or drains once.
    private mutating func drain(once: Bool = false) async throws -> Sequencer.Report {
        while true {
            let report = try await sequencer.drain(site.connection, until: .soon)
            if let issue = try await ledger.update(to: report, from: site.connection) { throw failure(issue) }
            try await readSnapshots()
            if report.isComplete || once { return report }
        }
    }

    /// Checks that a new sequencer publishes nothing once everything is drained.
    mutating func finish() async throws {
        if isPartial {
            _ = try await drain()
            _ = try await compare()
        }
        var another = try site.sequencer()
        another.clockAhead = sequencer.clockAhead
        let report = try await another.drain(site.connection, until: .soon)
        if report.versions > 0 {
            if let issue = try await ledger.update(to: report, from: site.connection) { throw failure(issue) }
            throw failure("a sequencer that begins anew publishes \(report.versions) versions")
        }
    }

    private mutating func readSnapshots() async throws {
        for storefrontFeed in try await reader.touched(since: ledger.before) {
            let old = snapshots[storefrontFeed]
            snapshots[storefrontFeed] = try await reader.snapshot(of: storefrontFeed)
            if let old, let new = snapshots[storefrontFeed] { try checkKeys(of: storefrontFeed, old, new) }
        }
    }

    private func check(_ storefrontFeed: StorefrontFeed) throws {
        let snapshot = snapshots[storefrontFeed]
        guard let storefront = world.storefronts.first(where: { $0.key == storefrontFeed.storefront }) else { return }
        let page = snapshot.map { Self.page(of: $0, in: storefront) }
        if page != expected.pages[storefrontFeed] {
            throw failure("\(storefrontFeed) shows \(describe(page)) where \(describe(expected.pages[storefrontFeed])) was expected")
        }
        for (id, item) in snapshot?.items ?? [:] {
            guard let own = world.items.first(where: { $0.id == id }), !own.isErased, !own.isWithdrawn, own.slug == item.slug,
                own.titles == titles(of: item)
            else { throw failure("\(storefrontFeed) has another item \(item.slug)") }
        }
    }

    private func titles(of item: Item) -> [LocaleTag: String] {
        let titles = item.document["title"]?.members.compactMap { title in LocaleTag(title.key).map { ($0, title.value.string ?? "") } }
        return Dictionary(uniqueKeysWithValues: titles ?? [])
    }

    private static func page(of snapshot: FeedSnapshot, in storefront: Storefront) -> ExpectedPage {
        let sections = Dictionary(uniqueKeysWithValues: snapshot.sections.map { ($0.published.id, $0) })
        var shelves: [LocaleTag: [[ExpectedPage.Shelf]]] = [:]
        for locale in storefront.locales {
            shelves[locale] = WorldClient.all.map { client -> [ExpectedPage.Shelf] in
                resolve(snapshot.edition(in: locale, on: client.platform), client.facts(in: storefront, locale)).sections.map { shelf in
                    let placements = sections[shelf.id]?.placements ?? [:]
                    let entries = shelf.placements.compactMap { placement in
                        placements[placement.id].map { entry($0, isPinned: placement.pin != nil, in: locale) }
                    }
                    return ExpectedPage.Shelf(section: shelf.id, entries: entries)
                }
            }
        }
        var lists: [String: [LocaleTag: [[ExpectedPage.Entry]]]] = [:]
        for section in snapshot.sections where section.list != nil {
            for locale in storefront.locales {
                lists[section.published.id, default: [:]][locale] = WorldClient.all.map { client in
                    snapshot.list(of: section, in: locale, on: client.platform).map {
                        ExpectedPage.Entry(item: $0.item, badges: $0.badges, initial: $0.position.initial)
                    }
                }
            }
        }
        return ExpectedPage(
            revision: snapshot.feed.revision, sections: snapshot.sections.map(\.published.id), shelves: shelves, lists: lists)
    }

    private static func entry(_ placement: PublishedPlacement, isPinned: Bool, in locale: LocaleTag) -> ExpectedPage.Entry {
        var entry = ExpectedPage.Entry(
            item: placement.item, badges: placement.badges,
            initial: placement.position(in: locale)?.initial ?? placement.initials[locale])
        switch placement.content {
        case .card(let card): entry.card = card
        case .item(_, let appearance): if isPinned { entry.appearance = appearance }
        }
        return entry
    }

    /// Checks that the longest sequence of items in their previous order keeps its order keys.
    private func checkKeys(of storefrontFeed: StorefrontFeed, _ old: FeedSnapshot, _ new: FeedSnapshot) throws {
        guard let locales = world.storefronts.first(where: { $0.key == storefrontFeed.storefront })?.locales else { return }
        for section in new.sections {
            guard let previous = old.sections.first(where: { $0.published.id == section.published.id }),
                previous.isSortedByLocale == section.isSortedByLocale
            else { continue }
            var orders = locales.map { (previous.candidates(in: $0), section.candidates(in: $0)) }
            if let before = previous.list, let after = section.list, before.isByLocale == after.isByLocale {
                orders += locales.map { (previous.listed(in: $0), section.listed(in: $0)) }
            }
            for (before, after) in orders {
                let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.item, $0) })
                let retained = after.count { entry in places[entry.item].map { before[$0].key == entry.key } ?? false }
                if retained < Self.longestRun(after.compactMap { places[$0.item] }) {
                    throw failure("\(section.published.id) in \(storefrontFeed.storefront) keeps \(retained) keys: \(before) → \(after)")
                }
            }
        }
    }

    private static func longestRun(_ indexes: [Int]) -> Int {
        var runs: [Int] = []
        for index in indexes {
            runs.append(1 + (runs.indices.filter { indexes[$0] < index }.map { runs[$0] }.max() ?? 0))
        }
        return runs.max() ?? 0
    }

    /// Checks that published end times are in the future, even if nothing else was published.
    private func checkEnds() async throws {
        for (storefrontFeed, end) in try await validUntil() {
            if let end, end <= world.time { throw failure("\(storefrontFeed) was to stay until \(end), and it is \(world.time)") }
        }
    }

    private func validUntil() async throws -> [StorefrontFeed: Timestamp?] {
        let query = PostgresQuery(
            "ends", "SELECT storefront, id, valid_until FROM vitrine.published WHERE kind = 'feed' AND document IS NOT NULL")
        let rows = try await site.connection.rows(of: query, as: String.self, String.self, Timestamp?.self, until: .soon)
        return Dictionary(uniqueKeysWithValues: rows.map { (StorefrontFeed(storefront: $0, feed: $1), $2) })
    }

    private func days() async throws -> [String: CalendarDay] {
        let query = PostgresQuery(
            "days", "SELECT key, ($1::timestamptz AT TIME ZONE time_zone)::date FROM vitrine.storefronts", world.time)
        return Dictionary(
            uniqueKeysWithValues: try await site.connection.rows(of: query, as: String.self, CalendarDay.self, until: .soon))
    }

    private func describe(_ page: ExpectedPage?) -> String {
        guard let page else { return "nothing" }
        let slugs = Dictionary(uniqueKeysWithValues: world.items.map { ($0.id, "i\($0.number)") })
        func described(_ entries: [ExpectedPage.Entry]) -> [String] {
            entries.map { entry in
                let name = entry.item.map { slugs[$0] ?? "?" } ?? entry.card.map { "~\($0.key)" } ?? "-"
                return "\(name)\(entry.appearance == nil ? "" : "*")\(entry.badges)\(entry.initial ?? "")"
            }
        }
        let shelves = page.shelves.sorted { $0.key.text < $1.key.text }.flatMap { locale, pages in
            pages.enumerated().map { client, shelves in
                "\(locale) \(WorldClient.all[client]): \(shelves.map { "\($0.section) \(described($0.entries))" })"
            }
        }
        let lists = page.lists.sorted { $0.key < $1.key }.flatMap { section, lists in
            lists.sorted { $0.key.text < $1.key.text }.map { locale, lists in
                "list of \(section) in \(locale): \(lists.map(described))"
            }
        }
        return "revision \(page.revision) of \(page.sections)\n\((shelves + lists).joined(separator: "\n"))"
    }

    private func failure(_ text: String) -> Failure {
        let mentioned = world.feeds.filter { text.contains("\"\($0.key)\"") || text.contains("\($0.key)/") }.prefix(1)
        let documents = mentioned.map { feed in
            feed.liveRevision(at: world.time).map { String(decoding: feed.revisions[$0 - 1].document.canonical(), as: UTF8.self) }
                ?? "none"
        }
        return Failure(description: "\(settings), step \(steps), at \(world.time): \(text)\n\(documents.joined())")
    }
}

extension FeedSnapshot.Section {
    fileprivate var isSortedByLocale: Bool {
        placements.values.contains { if case .byLocale? = $0.order { true } else { false } }
    }

    /// Returns the candidates of the shelf in their order.
    fileprivate func candidates(in locale: LocaleTag) -> [KeyedItem] {
        placements.values.compactMap { placement -> KeyedItem? in
            guard let item = placement.item, let position = placement.position(in: locale) else { return nil }
            return KeyedItem(item: item, key: position.key)
        }
        .sorted { $0.key < $1.key }
    }

    /// Returns the items of the list in their order.
    fileprivate func listed(in locale: LocaleTag) -> [KeyedItem] {
        entries(in: locale).map { KeyedItem(item: $0.item, key: $0.position.key) }
    }
}

private struct KeyedItem {
    let item: UUID
    let key: OrderKey
}

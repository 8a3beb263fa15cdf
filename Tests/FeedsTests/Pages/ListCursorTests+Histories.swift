import Items
import JSON
import Layout
import Security
import TestSupport
import Testing
import Values

@testable import Feeds

extension ListCursorTests {
    @Test(
        "A cursor outlives every publication that keeps the rule, the sort and the grouping of its list",
        arguments: ListHistory.firstSeeds)
    func histories(first: UInt64) throws {
        var ends: [ListCursor.Position: Int] = [:]
        for seed in first..<first + 500 {
            var history = try ListHistory(seed: seed, items: seed.isMultiple(of: 100) ? 500 : 30)
            for _ in 0..<12 { try history.step() }
            ends.merge(history.ends) { $0 + $1 }
            try #require(history.issues.isEmpty, "seed \(seed): \(history.issues.joined(separator: "; "))")
        }
        for end in [ListCursor.Position.listChanged, .sectionGone] {
            #expect(ends[end, default: 0] > 50, "\(end) is rare")
        }
    }

    @Test("While 50 publications change other sections, a client meets each of 500 items once", arguments: Seeds.fixed(3))
    func otherSections(seed: UInt64) throws {
        var history = try ListHistory(seed: seed, items: 500)
        let list = try history.entries(in: .english).map(\.item)
        var (seen, cursor) = ([UUID](), ListCursor?.none)
        for publication in 1...50 {
            let part = try history.read(after: cursor, limit: (list.count + 49) / 50, in: .english)
            seen += part.items
            cursor = part.next
            if cursor == nil { break }
            try #require(publication < 50, "seed \(seed)")
            history.changeOthers()
            try history.publish()
        }
        #expect(seen == list, "seed \(seed)")
    }

    @Test("If no item of a list stays, its cursors end")
    func otherItems() throws {
        var history = try ListHistory(seed: 1, items: 20)
        let cursor = try #require(try history.read(after: nil, limit: 5, in: .english).next)
        try history.replaceItems(by: 20)
        #expect(cursor.position(in: history.section?.list) == .listChanged)
    }

    @Test("If all keys are assigned again, the cursor ends, because the items after it are unknown")
    func newKeys() throws {
        var history = try ListHistory(seed: 1, items: 20)
        try history.insert(at: 1)
        let cursor = try #require(try history.read(after: nil, limit: 5, in: .english).next)
        let generation = history.section?.list?.generation
        var count = 0
        while history.section?.list?.generation == generation {
            #expect(cursor.position(in: history.section?.list) != .listChanged)
            try #require(count < 500, "the keys are never assigned again")
            try history.insert(at: 1)
            count += 1
        }
        #expect(cursor.position(in: history.section?.list) == .listChanged)
        #expect(count > 20, "keys are assigned again after \(count) insertions at one place")
    }
}

/// Random publications of a feed whose list several clients read.
private struct ListHistory {
    /// The first seeds of 500 histories each. `LIST_HISTORIES=10000` takes 4 minutes.
    static let firstSeeds = stride(from: 0, to: TestVariable.number("LIST_HISTORIES") ?? 1_000, by: 500).map(\.self)

    struct Entry: Equatable {
        let item: UUID
        let key: OrderKey
    }

    /// The parts of the token of a list, without the generation.
    struct Identity: Hashable {
        var rule = 0
        var sort = 0
        var isGrouped = false
        /// The number of times that the order changed or that the section came back. An order that returns has other keys.
        var changes = 0
    }

    struct Client {
        let locale: LocaleTag
        let limit: Int
        var cursor: ListCursor?
        var identity: Identity
        var wasByLocale: Bool
        var seen: [UUID] = []
        /// The entries that have had the same key since the client began.
        var stayed: [UUID: OrderKey] = [:]
        /// The list, as long as nothing in it changes.
        var list: [UUID]?
    }

    private struct App {
        let facts: ItemFacts
        let titles: [LocaleTag: String]
    }

    private let german: LocaleTag
    private let locales: [LocaleTag]
    private static let rules = [#"{"kind": "topApp"}"#, #"{"rating": {"atLeast": 3}}"#, #"{"not": {"rating": {"atLeast": 4.5}}}"#]
    private static let sorts = [#""-rating""#, #""-releaseDate""#, #""title""#]

    private var random: SeededRandom
    private var apps: [App] = []
    private var serialNumber = 0
    private var identity = Identity()
    private var isHidden = false
    /// The members of the document that do not belong to the list.
    private var others = 0
    private var size = 20
    private var pins: [Int] = []
    private var excluded: Set<Int> = []
    private var continues = false
    private var hasCondition = false
    /// The identity of the published list.
    private var published = Identity()
    private var version = 0
    private var previous = FeedComposer.Previous()
    private(set) var section: FeedSnapshot.Section?
    private var clients: [Client] = []
    private(set) var issues: [String] = []
    private(set) var ends: [ListCursor.Position: Int] = [:]

    init(seed: UInt64, items: Int) throws {
        german = try #require(LocaleTag("de"))
        locales = [.english, german]
        random = SeededRandom(seed: seed)
        for _ in 0..<items { try add() }
        identity = randomIdentity()
        try publish()
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: for _ in 0...Int.random(in: 0..<4, using: &random) { try changeCatalog() }
        case 2, 3: changeOthers()
        case 4: decorate()
        case 5 where !isHidden: isHidden = true
        case 6:
            var other = randomIdentity()
            other.changes = identity.changes
            if other != identity {
                other.changes += 1
                identity = other
            }
        default: break
        }
        if isHidden, section == nil, Bool.random(using: &random) {
            isHidden = false
            identity.changes += 1
        }
        try publish()
        for index in clients.indices where Bool.random(using: &random) { try read(index) }
        clients.removeAll { $0.cursor == nil }
        while clients.count < 3, section != nil { try begin() }
    }

    mutating func changeOthers() { others += 1 }

    mutating func replaceItems(by count: Int) throws {
        apps = []
        for _ in 0..<count { try add() }
        try publish()
    }

    /// Adds an item between two others of the list.
    mutating func insert(at place: Int) throws {
        let ratings = apps.map(\.facts.ratingCount).sorted(by: >)
        (identity.rule, identity.sort, identity.isGrouped) = (0, 0, false)
        try add(ratingAverage: 400, ratingCount: (ratings[place - 1] + ratings[place]) / 2)
        try publish()
    }

    private mutating func randomIdentity() -> Identity {
        let sort = Int.random(in: 0..<3, using: &random)
        return Identity(rule: Int.random(in: 0..<3, using: &random), sort: sort, isGrouped: sort == 2 && Bool.random(using: &random))
    }

    private mutating func changeCatalog() throws {
        let index = Int.random(in: 0..<apps.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where apps.count > 5: apps.remove(at: index)
        case 1: try add()
        default:
            let old = apps.remove(at: index)
            try add(serialNumber: old.facts.serialNumber)
        }
    }

    /// Changes what does not belong to the token of the list.
    private mutating func decorate() {
        others += 1
        size = Int.random(in: 1...30, using: &random)
        let numbers = apps.map(\.facts.serialNumber).shuffled(using: &random)
        pins = Array(numbers.prefix(Int.random(in: 0..<3, using: &random)))
        excluded = Set(numbers.dropFirst(3).prefix(Int.random(in: 0..<3, using: &random)))
        continues = Bool.random(using: &random)
        hasCondition = Bool.random(using: &random)
    }

    private mutating func add(serialNumber: Int? = nil, ratingAverage: Int? = nil, ratingCount: Int? = nil) throws {
        if serialNumber == nil { self.serialNumber += 1 }
        let number = serialNumber ?? self.serialNumber
        let facts = ItemFacts(
            id: UUID(high: 0, low: UInt64(number)), kind: .topApp, facets: [],
            ratingAverage: ratingAverage ?? Int.random(in: 200...500, using: &random),
            ratingCount: ratingCount ?? Int.random(in: 0...(1 << 60), using: &random),
            releasedOn: try #require(CalendarDay(daysSince1970: Int.random(in: 18_000...19_000, using: &random))), serialNumber: number,
            priceMinor: nil)
        let letters = Array("ABCDEFGH")
        let titles = locales.map { ($0, "\(letters[Int.random(in: 0..<8, using: &random)])\(number)") }
        apps.append(App(facts: facts, titles: Dictionary(uniqueKeysWithValues: titles)))
    }

    // MARK: Publishing

    mutating func publish() throws {
        version += 1
        let feed = try FeedDocument(parsing: Array(text.utf8))
        var parts: [SectionPart: ComposedItems] = [:]
        for section in feed.sections {
            for (part, selection) in section.parts { parts[part] = try composed(selection) }
        }
        let entries = FeedComposer(feed, revision: version, hashedBy: Digest.sha256)
            .entries(parts, keeping: previous, generation: version)
        let before = (previous, section, published)
        previous = FeedComposer.Previous()
        section = nil
        var (placements, listed) = ([String: PublishedPlacement](), [String: PublishedPlacement]())
        for entry in entries {
            if let placement = entry.placement {
                previous.placements[entry.key] = placement
                if placement.section == "f/all" {
                    if entry.key.kind == .entry { listed[entry.key.id] = placement } else { placements[entry.key.id] = placement }
                }
            }
            if let list = entry.list { previous.lists[entry.key.id] = list }
        }
        guard !isHidden else { return }
        let document = try #require(entries.first { $0.key == .init(.section, "f/all") })
        section = FeedSnapshot.Section(
            published: try JSONDocument(parsing: document.document).decode(PublishedSection.self), version: version,
            placements: placements, list: previous.lists["f/all"], entries: listed)
        if let old = before.1?.list, let new = section?.list, old.generation != new.generation, identity == before.2 {
            // The keys are new although the order is the same, so no client can have a position.
            if locales.allSatisfy({ keeps(before.1, in: $0) }) { issues.append("the generation rises, and each order keeps some keys") }
            identity.changes += 1
        }
        published = identity
        for index in clients.indices { noteChanges(of: index) }
    }

    /// Whether an entry of the present list has the key that it had in another one.
    private func keeps(_ old: FeedSnapshot.Section?, in locale: LocaleTag) -> Bool {
        let keys = (old?.entries(in: locale) ?? []).map { "\($0.item) \($0.position.key.text)" }
        return section?.entries(in: locale).contains { keys.contains("\($0.item) \($0.position.key.text)") } ?? false
    }

    private var text: String {
        let rule = Self.rules[identity.rule]
        let condition = hasCondition ? #"{"all": [\#(rule), {"not": {"inSection": "other"}}]}"# : rule
        let order = #""sort": \#(Self.sorts[identity.sort])"# + (identity.isGrouped ? #", "group": "initial""# : "")
        let pinned = pins.enumerated().filter { $0.offset < size }.map { #"{"slot": \#($0.offset), "item": "\#(id($0.element))"}"# }
        let exclude = excluded.subtracting(pins).sorted().map { "\"\(id($0))\"" }
        let ownItems = #""pins": [\#(pinned.joined(separator: ","))], "exclude": [\#(exclude.joined(separator: ","))]"#
        let list =
            continues
            ? #""rule": \#(condition), \#(order), "continues": true, \#(ownItems)"#
            : #""rule": \#(condition), "sort": "-rating", \#(ownItems), "seeAll": {"title": {"en": "\#(others)"}, \#(order), "size": 1000}"#
        let all = #"{"key": "all", "title": {"en": "All \#(others)"}, "layout": {"list": {}}, "cell": "row", "size": \#(size), \#(list)}"#
        let other =
            #"{"key": "other", "layout": {"grid": {"columns": \#(others % 5 + 1)}}, "cell": "row", "size": 3, "rule": \#(Self.rules[others % 3])}"#
        return #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(other)\#(isHidden ? "" : ", " + all)]}"#
    }

    private func id(_ number: Int) -> UUID { UUID(high: 0, low: UInt64(number)) }

    private func composed(_ selection: ItemSelection) throws -> ComposedItems {
        var inputs = SelectionInputs(known: Dictionary(uniqueKeysWithValues: apps.map { ($0.facts.id, $0.facts) }))
        for reference in selection.references { if case .id(let id) = reference { inputs.references[reference] = id } }
        let excluded = Set(selection.exclusions.compactMap { inputs.references[$0] })
        let matching = apps.filter { !excluded.contains($0.facts.id) && matches($0, selection.rule) }
        switch selection.sort {
        case .title:
            for locale in locales {
                let order = matching.sorted { ($0.titles[locale] ?? "", $0.facts.id) < ($1.titles[locale] ?? "", $1.facts.id) }
                inputs.candidates[locale] = order.map {
                    Candidate(facts: $0.facts, title: $0.titles[locale], letter: $0.titles[locale].map { String($0.prefix(1)) })
                }
            }
        case .releaseDate:
            inputs.candidates[nil] = matching.map { Candidate(facts: $0.facts) }
                .sorted { ($0.facts.releasedOn, $0.facts.serialNumber) > ($1.facts.releasedOn, $1.facts.serialNumber) }
        default:
            inputs.candidates[nil] = matching.map { Candidate(facts: $0.facts) }.sorted {
                ($0.facts.ratingAverage, $0.facts.ratingCount, $0.facts.serialNumber) > (
                    $1.facts.ratingAverage, $1.facts.ratingCount, $1.facts.serialNumber
                )
            }
        }
        let context = RuleContext(
            storefront: Storefront(
                key: "us", currency: "USD", timeZone: "UTC", locales: locales, defaultLocale: .english),
            today: try #require(CalendarDay(daysSince1970: 19_500)))
        return ItemComposer(selection, inputs, replacing: nil, context).composed()
    }

    /// Whether an item matches one of the rules. The condition on another section only makes the shelf smaller.
    private func matches(_ app: App, _ rule: Rule?) -> Bool {
        switch rule {
        case .all(let rules)?: matches(app, rules[0])
        case .rating?: app.facts.ratingAverage >= 300
        case .not?: app.facts.ratingAverage < 450
        default: true
        }
    }

    // MARK: Reading

    func entries(in locale: LocaleTag) throws -> [Entry] {
        try #require(section).entries(in: locale).map { Entry(item: $0.item, key: $0.position.key) }
    }

    /// Returns a part of the list as the server does.
    func read(after cursor: ListCursor?, limit: Int, in locale: LocaleTag) throws -> (items: [UUID], next: ListCursor?) {
        let section = try #require(section)
        let list = try #require(section.list)
        var key: OrderKey?
        if let cursor {
            guard case .after(let position) = cursor.position(in: list) else {
                Issue.record("the cursor has ended")
                return ([], nil)
            }
            key = position
        }
        let rest = try entries(in: locale).drop { entry in key.map { entry.key <= $0 } ?? false }
        let part = rest.prefix(limit)
        return (part.map(\.item), part.count < rest.count ? part.last.map { ListCursor(of: list, after: $0.key, in: locale) } : nil)
    }

    private var isByLocale: Bool { identity.sort == 2 }

    private mutating func begin() throws {
        let locale = Bool.random(using: &random) ? LocaleTag.english : german
        let entries = try entries(in: locale)
        let client = Client(
            locale: locale, limit: Int.random(in: 1...max(2, apps.count / 3), using: &random), identity: identity, wasByLocale: isByLocale,
            stayed: Dictionary(uniqueKeysWithValues: entries.map { ($0.item, $0.key) }), list: entries.map(\.item))
        clients.append(client)
        try readNext(clients.count - 1)
    }

    private mutating func noteChanges(of index: Int) {
        guard let section else { return }
        let entries = section.entries(in: clients[index].locale)
        let keys = Dictionary(uniqueKeysWithValues: entries.map { ($0.item, $0.position.key) })
        clients[index].stayed = clients[index].stayed.filter { keys[$0.key] == $0.value }
        if clients[index].list != entries.map(\.item) { clients[index].list = nil }
    }

    private mutating func read(_ index: Int) throws {
        let client = clients[index]
        // A server reads the texts from the signed cursor.
        guard let cursor = client.cursor.flatMap({ ListCursor($0.texts) }) else { return }
        let other = client.locale == .english ? german : .english
        if !cursor.isValid(in: client.locale) || cursor.isValid(in: other) == client.wasByLocale {
            issues.append("the cursor is valid in other locales than those of its order")
        }
        let position = cursor.position(in: section?.list)
        let expected: ListCursor.Position? = section == nil ? .sectionGone : client.identity != identity ? .listChanged : nil
        if case .after = position {
            if let expected { issues.append("the cursor is valid, and \(expected) was expected") }
            try readNext(index)
        } else {
            if expected != position { issues.append("\(position), and \(expected.map { "\($0)" } ?? "a position") was expected") }
            ends[position, default: 0] += 1
            clients[index].cursor = nil
        }
    }

    private mutating func readNext(_ index: Int) throws {
        let client = clients[index]
        let part = try read(after: client.cursor, limit: client.limit, in: client.locale)
        clients[index].seen += part.items
        clients[index].cursor = part.next
        guard part.next == nil else { return }
        let seen = clients[index].seen
        let lost = client.stayed.keys.filter { !seen.contains($0) }
        if !lost.isEmpty { issues.append("\(lost.count) items that stayed are lost") }
        if let list = client.list, seen != list { issues.append("a client of an unchanged list has other items") }
    }
}

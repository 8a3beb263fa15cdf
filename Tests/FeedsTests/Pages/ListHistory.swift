import Items
import JSON
import Layout
import Security
import TestSupport
import Testing
import Values

@testable import Feeds

/// Random publications of a feed whose list several clients read.
struct ListHistory {
    /// The first seeds of 500 histories each.
    static let firstSeeds = stride(from: 0, to: TestVariable.number("LIST_HISTORIES") ?? 1_000, by: 500).map(\.self)

    /// Returns the number of items of a history.
    static func items(of seed: UInt64) -> Int {
        if let items = TestVariable.number("LIST_ITEMS") { return Int(items) }
        // Beyond the number of a usual run, more of them are long.
        return seed.isMultiple(of: seed < 1_000 ? 100 : 10) ? 500 : 30
    }

    /// The document that replaces another one until its end.
    enum Takeover: CaseIterable {
        /// It has the same list, and differs in everything else.
        case sameList
        /// Its section has another rule, sort or grouping.
        case otherList
        case noSection
    }

    struct Entry: Equatable {
        let item: UUID
        let key: OrderKey
    }

    struct Identity: Hashable {
        var order = Order()
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
        /// The items that have stayed at their place among the others since the client began.
        var stayed: Set<UUID> = []
        /// The list, as long as nothing in it changes.
        var list: [UUID]?
    }

    private struct App {
        let facts: ItemFacts
        let titles: [LocaleTag: String]
    }

    private let german: LocaleTag
    private let locales: [LocaleTag]

    private var random: SeededRandom
    private var apps: [App] = []
    private var serialNumber = 0
    private var base = Content()
    /// The document that is shown instead of the base.
    private var takeover: Content?
    private var content: Content { takeover ?? base }
    /// The identity of the published list. It stays while the section is not shown.
    private var identity = Identity()
    private var version = 0
    private var previous = FeedComposer.Previous()
    private(set) var section: FeedSnapshot.Section?
    /// The list in each locale. Empty while the section is not shown.
    private var lists: [LocaleTag: [Entry]] = [:]
    private var clients: [Client] = []
    private(set) var issues: [String] = []
    private(set) var ends: [ListCursor.Position: Int] = [:]
    private(set) var takeovers: [Takeover] = []

    init(seed: UInt64, items: Int) throws {
        german = try #require(LocaleTag("de"))
        locales = [.english, german]
        random = SeededRandom(seed: seed)
        for _ in 0..<items { try add() }
        base.order = randomOrder()
        identity.order = base.order
        try publish()
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: for _ in 0...Int.random(in: 0..<4, using: &random) { try changeCatalog() }
        case 2, 3: changeOthers()
        case 4: base = decorated(base)
        case 5: base.isHidden = true
        case 6: base.order = randomOrder()
        case 7, 8: switchTakeover()
        default: break
        }
        // A section that clients no longer see comes back.
        if base.isHidden, section == nil, Bool.random(using: &random) { base.isHidden = false }
        try publish()
        for index in clients.indices where Bool.random(using: &random) { try read(index) }
        clients.removeAll { $0.cursor == nil }
        while clients.count < 3, section != nil { try begin() }
    }

    /// Ends the takeover, so that the base shows again with its edits of that time, or begins one.
    private mutating func switchTakeover() {
        guard takeover == nil else {
            takeover = nil
            return
        }
        let kind = Takeover.allCases.randomElement(using: &random) ?? .noSection
        var content = decorated(base)
        content.isHidden = kind == .noSection
        if kind == .otherList {
            while content.order == base.order { content.order = randomOrder() }
        }
        takeover = content
        takeovers.append(kind)
    }

    mutating func changeOthers() { base.others += 1 }

    mutating func replaceItems(by count: Int) throws {
        apps = []
        for _ in 0..<count { try add() }
        try publish()
    }

    /// Adds an item between two others of the list.
    mutating func insert(at place: Int) throws {
        let ratings = apps.map(\.facts.ratingCount).sorted(by: >)
        base.order = Order()
        try add(ratingAverage: 400, ratingCount: (ratings[place - 1] + ratings[place]) / 2)
        try publish()
    }

    private mutating func randomOrder() -> Order {
        let sort = Int.random(in: 0..<3, using: &random)
        return Order(rule: Int.random(in: 0..<3, using: &random), sort: sort, isGrouped: sort == 2 && Bool.random(using: &random))
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
    private mutating func decorated(_ content: Content) -> Content {
        var content = content
        content.others += 1
        content.size = Int.random(in: 1...30, using: &random)
        let numbers = apps.map(\.facts.serialNumber).shuffled(using: &random)
        content.pins = Array(numbers.prefix(Int.random(in: 0..<3, using: &random)))
        content.excluded = Set(numbers.dropFirst(3).prefix(Int.random(in: 0..<3, using: &random)))
        content.continues = Bool.random(using: &random)
        content.hasCondition = Bool.random(using: &random)
        return content
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
        let feed = try FeedDocument(parsing: Array(content.text.utf8))
        var parts: [SectionPart: ComposedItems] = [:]
        for section in feed.sections {
            for (part, selection) in section.parts { parts[part] = try composed(selection) }
        }
        let entries = FeedComposer(feed, revision: version, hashedBy: Digest.sha256)
            .entries(parts, keeping: previous, generation: version)
        let before = (section: section, lists: lists, identity: identity)
        previous = FeedComposer.Previous()
        (section, lists) = (nil, [:])
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
        guard !content.isHidden else { return }
        let document = try #require(entries.first { $0.key == .init(.section, "f/all") })
        let section = FeedSnapshot.Section(
            try JSONDocument(parsing: document.document).decode(PublishedSection.self), version: version,
            placements: placements, list: previous.lists["f/all"], entries: listed)
        self.section = section
        for locale in locales { lists[locale] = section.entries(in: locale).map { Entry(item: $0.item, key: $0.position.key) } }
        if before.section == nil || content.order != identity.order { identity.changes += 1 }
        identity.order = content.order
        if let old = before.section?.list, let new = section.list, old.generation != new.generation, identity == before.identity {
            // The keys are new although the order is the same, so no client can have a position.
            if locales.allSatisfy({ keepsKeys(of: before.lists[$0] ?? [], in: $0) }) {
                issues.append("the generation rises, and each order keeps some keys")
            }
            identity.changes += 1
        }
        noteChanges(since: before.lists)
    }

    /// Whether an entry of the present list has the key that it had in another one.
    private func keepsKeys(of old: [Entry], in locale: LocaleTag) -> Bool {
        let keys = Dictionary(uniqueKeysWithValues: old.map { ($0.item, $0.key) })
        return lists[locale]?.contains { keys[$0.item] == $0.key } ?? false
    }

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

    func entries(in locale: LocaleTag) throws -> [Entry] { try #require(lists[locale]) }

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

    private var isByLocale: Bool { identity.order.sort == 2 }

    private mutating func begin() throws {
        let locale = Bool.random(using: &random) ? LocaleTag.english : german
        let entries = try entries(in: locale)
        let client = Client(
            locale: locale, limit: Int.random(in: 1...max(2, apps.count / 3), using: &random), identity: identity, wasByLocale: isByLocale,
            stayed: Set(entries.map(\.item)), list: entries.map(\.item))
        clients.append(client)
        try readNext(clients.count - 1)
    }

    private mutating func noteChanges(since before: [LocaleTag: [Entry]]) {
        for locale in Set(clients.map(\.locale)) {
            let (old, new) = (before[locale] ?? [], lists[locale] ?? [])
            let items = new.map(\.item)
            let isSame = old.map(\.item) == items
            var stayed = isSame ? Set(items) : Self.unmoved(from: old, to: new)
            // An item that keeps its key has the same position in each cursor.
            let keys = Dictionary(uniqueKeysWithValues: old.map { ($0.item, $0.key) })
            for entry in new where keys[entry.item] == entry.key { stayed.insert(entry.item) }
            for index in clients.indices where clients[index].locale == locale {
                clients[index].stayed.formIntersection(stayed)
                if clients[index].list != items { clients[index].list = nil }
            }
        }
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
        let lost = client.stayed.subtracting(seen)
        if !lost.isEmpty { issues.append("\(lost.count) items that stayed are lost") }
        if let list = client.list, seen != list { issues.append("a client of an unchanged list has other items") }
    }
}

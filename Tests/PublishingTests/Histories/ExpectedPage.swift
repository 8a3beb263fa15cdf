import Feeds
import Items
import Values

/// The expected page of a feed in a storefront, computed naively: all items are filtered and sorted.
struct ExpectedPage: Equatable {
    struct Entry: Equatable {
        let item: UUID
        let badges: [String]
        let initial: String?
    }

    struct Section: Equatable {
        let id: String
        /// The entries of the shelf by locale of the storefront.
        let shelves: [LocaleTag: [Entry]]
        /// The entries of the list, or nil if the section has none.
        let lists: [LocaleTag: [Entry]]?
    }

    let revision: Int
    let sections: [Section]
}

/// The pages of a `World`. They depend on earlier pages: a section whose rule finds too few items is retained.
struct ExpectedPages {
    /// The items of a shelf or a list, by locale if they are sorted by title.
    private typealias Orders = [LocaleTag?: [UUID]]

    private struct Section {
        let document: FeedSection
        var shelf: Orders = [:]
        var list: Orders = [:]
    }

    private(set) var pages: [StorefrontFeed: ExpectedPage] = [:]
    private var live: [StorefrontFeed: [SectionKey: Section]] = [:]

    mutating func update(to world: World, _ days: [String: CalendarDay]) {
        let before = live
        (pages, live) = ([:], [:])
        for feed in world.feeds {
            guard let revision = feed.liveRevision(at: world.time) else { continue }
            for storefront in world.storefronts {
                let storefrontFeed = StorefrontFeed(storefront: storefront.key, feed: feed.key)
                compose(
                    feed.revisions[revision - 1].document, revision, storefrontFeed, storefront, world, days, before[storefrontFeed] ?? [:])
            }
        }
    }

    private mutating func compose(
        _ document: FeedDocument, _ revision: Int, _ storefrontFeed: StorefrontFeed, _ storefront: Storefront, _ world: World,
        _ days: [String: CalendarDay],
        _ before: [SectionKey: Section]
    ) {
        let visible = world.items.filter { $0.isShown(in: storefront.key, at: world.time) }
        var context = RuleContext(storefront: storefront, today: world.today(in: storefront, days))
        var sections: [ExpectedPage.Section] = []
        for section in document.sections {
            let shelf = ExpectedItems(
                section: section, choice: .shelf(of: section), storefront: storefront, visible: visible, context: context, world: world)
            let previous = before[section.key]
            let isSame = previous?.document == section
            let (composed, isRetained) = shelf.orders(after: isSame ? previous?.shelf ?? [:] : [:])
            var now = Section(document: section, shelf: composed)
            var lists: [LocaleTag: [ExpectedPage.Entry]]?
            if let choice = ExpectedItems.Choice.list(of: section) {
                let list = ExpectedItems(
                    section: section, choice: choice, storefront: storefront, visible: visible, context: context, world: world)
                // The list of a retained shelf is retained too, if it is the same list as before.
                let kept = isSame || previous?.document.list == section.list ? list.visibleOrders(of: previous?.list ?? [:]) : [:]
                let isKept = isRetained && choice.followsShelf && kept.values.contains { !$0.isEmpty }
                now.list = isKept ? kept : list.orders(after: [:]).orders
                lists = list.entries(now.list)
            }
            let everything = Set(now.shelf.values.joined())
            context.itemsOfSections[section.key] = everything
            if everything.isEmpty { now.list = [:] }
            live[storefrontFeed, default: [:]][section.key] = now
            guard !everything.isEmpty else { continue }
            sections.append(
                ExpectedPage.Section(id: "\(storefrontFeed.feed)/\(section.key)", shelves: shelf.entries(now.shelf), lists: lists))
        }
        pages[storefrontFeed] = ExpectedPage(revision: revision, sections: sections)
    }
}

/// The items of a shelf or a list at one time.
private struct ExpectedItems {
    struct Choice {
        var pins: [(slot: Int, item: ItemReference)]
        var excluded: [ItemReference]
        var rule: Rule?
        var sort: Sort
        var size: Int
        var minItems: Int
        var maxDrop: MaxDrop?
        var isGrouped: Bool
        var isList = false
        var followsShelf = false

        static func shelf(of section: FeedSection) -> Choice {
            Choice(
                pins: section.pins.map { ($0.slot, $0.item) }, excluded: section.exclusions, rule: section.rule, sort: section.sort,
                size: section.size, minItems: section.minItems, maxDrop: section.maxDrop, isGrouped: section.grouping == .initial)
        }

        static func list(of section: FeedSection) -> Choice? {
            if section.seeAll == nil, !section.continues { return nil }
            var choice = shelf(of: section)
            choice.isList = true
            choice.size = section.seeAll?.size ?? 1_000
            choice.excluded += section.seeAll?.exclusions ?? []
            choice.isGrouped = section.grouping == .initial || section.seeAll?.grouping == .initial
            if case .rotation = section.sort { choice.sort = .rating }
            if let sort = section.seeAll?.sort { choice.sort = sort }
            (choice.minItems, choice.maxDrop) = (0, nil)
            let excludesMore = section.seeAll?.exclusions.contains { !section.exclusions.contains($0) } ?? false
            choice.followsShelf =
                !excludesMore && section.seeAll?.rule == nil && section.rule.flatMap(stripped) == section.rule
                && choice.sort == section.sort
            guard let own = section.seeAll?.rule else {
                choice.rule = section.rule.map { stripped($0) ?? .any([.kind(.topApp), .kind(.foodApp)]) }
                return choice
            }
            (choice.pins, choice.rule) = ([], own)
            return choice
        }

        /// Returns the rule without conditions on sections.
        private static func stripped(_ rule: Rule) -> Rule? {
            switch rule {
            case .inSection: return nil
            case .not(let inner): return stripped(inner).map { .not($0) }
            case .all(let rules):
                let rest = rules.compactMap(stripped)
                return rest.isEmpty ? nil : rest.count == 1 && rules.count > 1 ? rest[0] : .all(rest)
            case .any(let rules):
                let rest = rules.compactMap(stripped)
                return rest.isEmpty ? nil : rest.count == 1 && rules.count > 1 ? rest[0] : .any(rest)
            default: return rule
            }
        }
    }

    let section: FeedSection
    let choice: Choice
    let storefront: Storefront
    let visible: [WorldItem]
    let context: RuleContext
    let world: World

    func orders(after before: [LocaleTag?: [UUID]]) -> (orders: [LocaleTag?: [UUID]], isRetained: Bool) {
        var locales: [LocaleTag?] = [nil]
        if choice.rule != nil, case .title = choice.sort { locales = storefront.locales }
        var (orders, isRetained) = ([LocaleTag?: [UUID]](), false)
        for locale in locales {
            let found = order(in: locale, after: before[locale] ?? [])
            orders[locale] = found.order
            isRetained = isRetained || found.isRetained
        }
        return (orders, isRetained)
    }

    func visibleOrders(of orders: [LocaleTag?: [UUID]]) -> [LocaleTag?: [UUID]] {
        orders.mapValues { $0.filter { id in visible.contains { $0.id == id } } }
    }

    func entries(_ orders: [LocaleTag?: [UUID]]) -> [LocaleTag: [ExpectedPage.Entry]] {
        Dictionary(
            uniqueKeysWithValues: storefront.locales.map { locale in
                (locale, (orders[nil] ?? orders[locale] ?? []).map { entry($0, in: locale) })
            })
    }

    private func entry(_ id: UUID, in locale: LocaleTag) -> ExpectedPage.Entry {
        var badges: [String] = []
        for rule in section.badges {
            switch rule.bearers {
            case .items(let references): if references.contains(where: { item(named: $0)?.id == id }) { badges.append(rule.badge) }
            case .rule(let rule_):
                if let item = visible.first(where: { $0.id == id }), holds(rule_, for: item) { badges.append(rule.badge) }
            }
        }
        var initial: String?
        if choice.isGrouped, let item = visible.first(where: { $0.id == id }) {
            let first = title(of: item, in: locale).prefix(1).uppercased()
            initial = locale.language.text == "ar" || first == "9" ? "#" : first
        }
        return ExpectedPage.Entry(item: id, badges: badges, initial: initial)
    }

    private func order(in locale: LocaleTag?, after before: [UUID]) -> (order: [UUID], isRetained: Bool) {
        let found = filled(candidates(in: locale))
        let left = before.filter { id in visible.contains { $0.id == id } }
        if found.count < choice.minItems { return (left, true) }
        // Items that disappear on their own are not a drop of the rule.
        switch choice.maxDrop {
        case .items(let count) where left.count - found.count > count: return (left, true)
        case .share(let share) where Double(left.count - found.count) > share * Double(left.count): return (left, true)
        default: return (found, false)
        }
    }

    /// The pins. The first pin of an item counts.
    private var pins: [(slot: Int, item: UUID)] {
        var pins: [(slot: Int, item: UUID)] = []
        for pin in choice.pins.sorted(by: { $0.slot < $1.slot }) {
            guard let item = item(named: pin.item), visible.contains(where: { $0.id == item.id }) else { continue }
            if choice.isList, excluded.contains(item.id) { continue }
            if !pins.contains(where: { $0.item == item.id }) { pins.append((choice.isList ? pins.count : pin.slot, item.id)) }
        }
        return pins
    }

    private var excluded: [UUID] { choice.excluded.compactMap { item(named: $0)?.id } }

    private func filled(_ candidates: [UUID]) -> [UUID] {
        let pins = pins
        var (list, rest) = ([UUID](), candidates[...])
        for slot in 0..<choice.size {
            if let pin = pins.first(where: { $0.slot == slot }) {
                list.append(pin.item)
            } else if let next = rest.popFirst() {
                list.append(next)
            }
        }
        return list
    }

    private func candidates(in locale: LocaleTag?) -> [UUID] {
        guard let rule = choice.rule else { return [] }
        let (pinned, excluded) = (pins.map(\.item), excluded)
        let matching = visible.filter { !pinned.contains($0.id) && !excluded.contains($0.id) && holds(rule, for: $0) }
        switch choice.sort {
        case .rating:
            return matching.sorted {
                ($0.rating?.hundredths ?? 0, $0.rating?.count ?? 0, $0.number) > (
                    $1.rating?.hundredths ?? 0, $1.rating?.count ?? 0, $1.number
                )
            }
            .map(\.id)
        case .releaseDate: return matching.sorted { ($0.day, $0.number) > ($1.day, $1.number) }.map(\.id)
        case .title:
            guard let locale else { return [] }
            return matching.sorted { (title(of: $0, in: locale), $0.id) < (title(of: $1, in: locale), $1.id) }.map(\.id)
        case .chart(let name):
            let chart = name == "top" ? world.charts[storefront.key] ?? [] : []
            return chart.filter { id in matching.contains { $0.id == id } }
        case .rotation(let rotation):
            // The first step of a rotation over all items shows the seeded order.
            let order = rotation.visible(matching.map(\.id), limit: matching.count, step: 0) { $0 }
            let start = order.isEmpty ? 0 : step(of: rotation) * (section.size - pins.count) % order.count
            return Array((order[start...] + order[..<start]).prefix(section.size - pins.count))
        }
    }

    /// Returns the step of a rotation. The times of tests are after 1970.
    private func step(of rotation: Rotation) -> Int {
        let minutes = rotation.every.minutes
        if minutes.isMultiple(of: 1_440) { return Int(context.today.daysSince1970) / (minutes / 1_440) }
        return Int(world.time.microseconds) / 60_000_000 / minutes
    }

    private func holds(_ rule: Rule, for item: WorldItem) -> Bool { rule.holds(for: item.facts(in: storefront.key), in: context) }

    private func item(named reference: ItemReference) -> WorldItem? { world.items.first { $0.isNamed(by: reference) } }

    /// Returns the title in the locale, else in the storefront's fallback, else in English, else in the first locale.
    private func title(of item: WorldItem, in locale: LocaleTag) -> String {
        for tag in [locale, storefront.defaultLocale, .english] {
            if let title = item.titles[tag] { return title }
        }
        return item.titles.min { $0.key.text < $1.key.text }?.value ?? ""
    }
}

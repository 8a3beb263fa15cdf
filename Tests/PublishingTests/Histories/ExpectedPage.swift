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
        /// The entries by locale of the storefront.
        let lists: [LocaleTag: [Entry]]
    }

    let revision: Int
    let sections: [Section]
}

/// The pages of a `World`. They depend on earlier pages: a section whose rule finds too few items is retained.
struct ExpectedPages {
    /// The items of a section, by locale if the section is sorted by title.
    private typealias Lists = [LocaleTag?: [UUID]]

    private(set) var pages: [StorefrontFeed: ExpectedPage] = [:]
    private var live: [StorefrontFeed: [FeedSection: Lists]] = [:]

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
        _ before: [FeedSection: Lists]
    ) {
        let visible = world.items.filter { $0.isShown(in: storefront.key, at: world.time) }
        var context = RuleContext(storefront: storefront, today: world.today(in: storefront, days))
        var sections: [ExpectedPage.Section] = []
        for section in document.sections {
            let shelf = Shelf(section: section, storefront: storefront, visible: visible, context: context, world: world)
            let lists = shelf.lists(after: before[section] ?? [:])
            let everything = Set(lists.values.joined())
            context.itemsOfSections[section.key] = everything
            live[storefrontFeed, default: [:]][section] = lists
            guard !everything.isEmpty else { continue }
            var entries: [LocaleTag: [ExpectedPage.Entry]] = [:]
            for locale in storefront.locales {
                let list = lists[nil] ?? lists[locale] ?? []
                entries[locale] = list.map { id in shelf.entry(id, in: locale) }
            }
            sections.append(ExpectedPage.Section(id: "\(storefrontFeed.feed)/\(section.key)", lists: entries))
        }
        pages[storefrontFeed] = ExpectedPage(revision: revision, sections: sections)
    }
}

/// One section at one time.
private struct Shelf {
    let section: FeedSection
    let storefront: Storefront
    let visible: [WorldItem]
    let context: RuleContext
    let world: World

    func lists(after before: [LocaleTag?: [UUID]]) -> [LocaleTag?: [UUID]] {
        guard section.rule != nil, case .title = section.sort else { return [nil: list(in: nil, after: before[nil] ?? [])] }
        var lists: [LocaleTag?: [UUID]] = [:]
        for locale in storefront.locales { lists[locale] = list(in: locale, after: before[locale] ?? []) }
        return lists
    }

    func entry(_ id: UUID, in locale: LocaleTag) -> ExpectedPage.Entry {
        var badges: [String] = []
        for rule in section.badges {
            switch rule.bearers {
            case .items(let references): if references.contains(where: { item(named: $0)?.id == id }) { badges.append(rule.badge) }
            case .rule(let rule_):
                if let item = visible.first(where: { $0.id == id }), holds(rule_, for: item) { badges.append(rule.badge) }
            }
        }
        var initial: String?
        if section.grouping == .initial, let item = visible.first(where: { $0.id == id }) {
            let first = title(of: item, in: locale).prefix(1).uppercased()
            initial = locale.language.text == "ar" || first == "9" ? "#" : first
        }
        return ExpectedPage.Entry(item: id, badges: badges, initial: initial)
    }

    private func list(in locale: LocaleTag?, after before: [UUID]) -> [UUID] {
        let found = filled(candidates(in: locale))
        let left = before.filter { id in visible.contains { $0.id == id } }
        if found.count < section.minItems { return left }
        // Items that disappear on their own are not a drop of the rule.
        switch section.maxDrop {
        case .items(let count) where left.count - found.count > count: return left
        case .share(let share) where Double(left.count - found.count) > share * Double(left.count): return left
        default: return found
        }
    }

    /// The pins of the section. The first pin of an item counts.
    private var pins: [(slot: Int, item: UUID)] {
        var pins: [(slot: Int, item: UUID)] = []
        for pin in section.pins.sorted(by: { $0.slot < $1.slot }) {
            guard let item = item(named: pin.item), visible.contains(where: { $0.id == item.id }) else { continue }
            if !pins.contains(where: { $0.item == item.id }) { pins.append((pin.slot, item.id)) }
        }
        return pins
    }

    private func filled(_ candidates: [UUID]) -> [UUID] {
        let pins = pins
        var (list, rest) = ([UUID](), candidates[...])
        for slot in 0..<section.listSize {
            if let pin = pins.first(where: { $0.slot == slot }) {
                list.append(pin.item)
            } else if let next = rest.popFirst() {
                list.append(next)
            }
        }
        return list
    }

    private func candidates(in locale: LocaleTag?) -> [UUID] {
        guard let rule = section.rule else { return [] }
        let pinned = pins.map(\.item)
        let excluded = section.exclusions.compactMap { item(named: $0)?.id }
        let matching = visible.filter { !pinned.contains($0.id) && !excluded.contains($0.id) && holds(rule, for: $0) }
        switch section.sort {
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

import Feeds
import Items
import Resolve
import Values

/// The expected page of a feed in a storefront, computed naively: all items are filtered and sorted.
struct ExpectedPage: Equatable {
    /// An item of a list, or an item or a card of a shelf.
    struct Entry: Equatable {
        /// The item, or nil if the entry is a card.
        let item: UUID?
        let badges: [String]
        let initial: String?
        var card: Card?
        /// The appearance that the item has because it is pinned.
        var appearance: ItemAppearance?
    }

    struct Shelf: Equatable {
        let section: String
        let entries: [Entry]
    }

    let revision: Int
    /// The published sections. Not every client sees all of them.
    let sections: [String]
    /// The shelves that each of `WorldClient.all` sees, by locale of the storefront.
    let shelves: [LocaleTag: [[Shelf]]]
    /// The lists that each of `WorldClient.all` sees, by section and by locale of the storefront. A section without a list has
    /// none.
    let lists: [String: [LocaleTag: [[Entry]]]]
}

/// The pages of a `World`. They depend on earlier pages: a section whose rule finds too few items is retained.
struct ExpectedPages {
    private struct Section {
        let document: FeedSection
        var candidates: ExpectedItems.Orders = [:]
        var list: ExpectedItems.Orders = [:]
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
        // A page with a rotation has other items on each platform.
        let turns = document.sections.contains { section in
            if case .rotation = section.sort { section.eligibility == .platform } else { false }
        }
        let known: [Fact<String>] = turns ? [.notSaid] + WorldItem.allPlatforms.map { .said($0) } : [.unknown]
        var above: [Fact<String>: [LocaleTag: [SectionKey: ExpectedItems.Seen]]] = [:]
        let sizes = Dictionary(uniqueKeysWithValues: document.sections.map { ($0.key, $0.size) })
        var shelves: [(id: String, key: SectionKey, shelf: ExpectedItems, candidates: ExpectedItems.Orders)] = []
        var lists: [String: [LocaleTag: [[ExpectedPage.Entry]]]] = [:]
        for section in document.sections where isShown(section, in: storefront, at: world.time) {
            let id = "\(storefrontFeed.feed)/\(section.key)"
            let shelf = ExpectedItems(
                section: section, choice: .shelf(of: section, sizes), storefront: storefront, visible: visible, context: context,
                world: world)
            let previous = before[section.key]
            let isSame = previous?.document == section
            let (candidates, isRetained) = shelf.orders(after: isSame ? previous?.candidates ?? [:] : [:])
            var now = Section(document: section, candidates: candidates)
            // A rule that refers to a section means all items that any client can see there.
            for platform in known {
                for locale in storefront.locales {
                    var name: String?
                    if case .said(let stated) = platform { name = stated }
                    let order = ExpectedItems.order(candidates, in: locale, on: name)
                    guard let seen = shelf.seenByAny(of: order, above[platform]?[locale] ?? [:], on: platform) else { continue }
                    above[platform, default: [:]][locale, default: [:]][section.key] = seen
                    context.itemsOfSections[section.key, default: []].formUnion(seen.items)
                }
            }
            let isPublished = !candidates.values.allSatisfy(\.isEmpty) || !shelf.pins.isEmpty
            if let choice = ExpectedItems.Choice.list(of: section) {
                let list = ExpectedItems(
                    section: section, choice: choice, storefront: storefront, visible: visible, context: context, world: world)
                // The list of a retained shelf is retained too, if it is the same list as before.
                let kept = isSame || previous?.document.list == section.list ? list.visibleOrders(of: previous?.list ?? [:]) : [:]
                let isKept = isRetained && choice.followsShelf && kept.values.contains { !$0.isEmpty }
                now.list = isKept ? kept : list.orders(after: [:]).orders
                if isPublished { lists[id] = list.entries(now.list) } else { now.list = [:] }
            }
            live[storefrontFeed, default: [:]][section.key] = now
            if isPublished { shelves.append((id, section.key, shelf, candidates)) }
        }
        var pages: [LocaleTag: [[ExpectedPage.Shelf]]] = [:]
        for locale in storefront.locales {
            pages[locale] = WorldClient.all.map { client -> [ExpectedPage.Shelf] in
                var shown: [SectionKey: [UUID]] = [:]
                return shelves.compactMap { id, key, shelf, candidates -> ExpectedPage.Shelf? in
                    guard client.isIn(shelf.section.target, in: storefront, locale) else { return nil }
                    let order = ExpectedItems.order(candidates, in: locale, on: client.platform)
                    guard let entries = shelf.shelf(of: order, without: shown, for: client, locale) else { return nil }
                    shown[key] = entries.compactMap(\.item)
                    return ExpectedPage.Shelf(section: id, entries: entries)
                }
            }
        }
        self.pages[storefrontFeed] = ExpectedPage(revision: revision, sections: shelves.map(\.id), shelves: pages, lists: lists)
    }

    /// Whether clients of the storefront can see the section at a time.
    private func isShown(_ section: FeedSection, in storefront: Storefront, at time: Timestamp) -> Bool {
        if let from = section.during?.from, instant(of: from, in: storefront).map({ time < $0 }) ?? true { return false }
        if let until = section.during?.until, instant(of: until, in: storefront).map({ time >= $0 }) ?? true { return false }
        for case .storefronts(let keys) in section.target?.conditions ?? [] where !keys.contains(storefront.key) { return false }
        return true
    }

    /// Returns the instant of a bound, by a search minute by minute.
    private func instant(of bound: PlannedTime, in storefront: Storefront) -> Timestamp? {
        if case .instant(let instant) = bound { return instant }
        guard let reading = Timestamp("\(bound):00Z"), let clock = try? ZoneClock(storefront.timeZone) else { return nil }
        return Timestamp(clamping: clock.firstTime(showing: Int(reading.microseconds / 1_000_000)) * 1_000_000)
    }
}

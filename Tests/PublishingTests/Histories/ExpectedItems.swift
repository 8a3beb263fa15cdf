import Feeds
import Items
import Resolve
import Values

/// The items of a shelf or a list at one time, computed naively.
struct ExpectedItems {
    /// The clients for whom an order is: those of a locale, those of a platform, or all of them.
    struct Audience: Hashable {
        var locale: LocaleTag?
        var platform: String?
    }

    /// The items of a list or the candidates of a shelf, by locale if they are sorted by title, and by platform if they rotate.
    typealias Orders = [Audience: [UUID]]

    struct Choice {
        var pins: [Pin]
        var excluded: [ItemReference]
        var rule: Rule?
        /// The sections whose items a client does not see here again.
        var without: [SectionKey] = []
        var sort: Sort
        var size: Int
        /// The number of items that the sections of `without` can show.
        var itemsAbove = 0
        var minItems: Int
        var maxDrop: MaxDrop?
        var isGrouped: Bool
        /// Whether clients see only what runs on their platform.
        var filters: Bool
        var isList = false
        var followsShelf = false

        static func shelf(of section: FeedSection, _ sizes: [SectionKey: Int]) -> Choice {
            var choice = Choice(
                pins: section.pins, excluded: section.exclusions, rule: section.rule, sort: section.sort, size: section.size,
                minItems: section.minItems, maxDrop: section.maxDrop, isGrouped: section.grouping == .initial,
                filters: section.eligibility == .platform)
            if let rule = section.rule, !choice.isGrouped { (choice.rule, choice.without) = separated(rule) }
            for key in choice.without { choice.itemsAbove += sizes[key] ?? 0 }
            return choice
        }

        static func list(of section: FeedSection) -> Choice? {
            if section.seeAll == nil, !section.continues { return nil }
            let shelf = shelf(of: section, [:])
            var choice = shelf
            choice.isList = true
            choice.without = []
            choice.size = section.seeAll?.size ?? 1_000
            choice.excluded += section.seeAll?.exclusions ?? []
            choice.isGrouped = section.grouping == .initial || section.seeAll?.grouping == .initial
            if case .rotation = section.sort { choice.sort = .rating }
            if let sort = section.seeAll?.sort { choice.sort = sort }
            (choice.minItems, choice.maxDrop) = (0, nil)
            let excludesMore = section.seeAll?.exclusions.contains { !section.exclusions.contains($0) } ?? false
            choice.followsShelf =
                !excludesMore && section.seeAll?.rule == nil && shelf.rule.flatMap(stripped) == shelf.rule && choice.sort == section.sort
            guard let own = section.seeAll?.rule else {
                choice.rule = section.rule.map { stripped($0) ?? everything }
                return choice
            }
            (choice.pins, choice.rule) = ([], own)
            return choice
        }

        private static let everything = Rule.any([.kind(.topApp), .kind(.foodApp)])

        /// Returns a rule without the conditions of its outermost `all` that exclude sections, and these sections.
        private static func separated(_ rule: Rule) -> (rule: Rule, without: [SectionKey]) {
            var conditions = [rule]
            if case .all(let rules) = rule { conditions = rules }
            var (rest, without) = ([Rule](), [SectionKey]())
            for condition in conditions {
                if case .not(.inSection(let keys)) = condition {
                    for key in keys where !without.contains(key) { without.append(key) }
                } else {
                    rest.append(condition)
                }
            }
            return (rest.isEmpty ? everything : .all(rest), without)
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

    /// A pin whose item is available, or a card.
    struct VisiblePin {
        let slot: Int
        let item: UUID?
        let pin: Pin
    }

    let section: FeedSection
    let choice: Choice
    let storefront: Storefront
    let visible: [WorldItem]
    let context: RuleContext
    let world: World

    // MARK: All clients

    func orders(after before: Orders) -> (orders: Orders, isRetained: Bool) {
        var locales: [LocaleTag?] = [nil]
        if choice.rule != nil, case .title = choice.sort { locales = storefront.locales }
        var (orders, isRetained, isKept) = (Orders(), false, false)
        for locale in locales {
            let audience = Audience(locale: locale)
            let found = order(in: locale, after: before[audience] ?? [])
            orders[audience] = found.order
            isRetained = isRetained || found.isRetained
            isKept = isKept || found.isKept
        }
        guard turns else { return (orders, isRetained) }
        for platform in WorldItem.allPlatforms {
            let audience = Audience(platform: platform)
            let limit = limit(on: platform)
            let own = isKept ? left(of: before[audience] ?? before[Audience()] ?? []) : candidates(in: nil, on: platform)
            orders[audience] = Array(own.filter { runs($0, on: platform) }.prefix(limit))
        }
        return (orders, isRetained)
    }

    /// Whether the items rotate on each platform.
    private var turns: Bool {
        guard choice.rule != nil, choice.filters, case .rotation = choice.sort else { return false }
        return true
    }

    /// The platforms whose clients see an item, or nil if all do.
    private func platforms(of id: UUID) -> Set<String>? {
        choice.filters ? visible.first { $0.id == id }?.platforms : nil
    }

    private func runs(_ id: UUID, on platform: String?) -> Bool {
        guard let platform, let platforms = platforms(of: id) else { return true }
        return platforms.contains(platform)
    }

    /// The pins that all clients of a platform see.
    private func certain(on platform: String? = nil) -> [VisiblePin] {
        pins.filter { pin in !Self.isOpen(pin.pin.target) && pin.item.map { runs($0, on: platform) } ?? true }
    }

    /// The number of items that a client of a platform can need of an order.
    private func limit(on platform: String?) -> Int {
        choice.isList ? choice.size : choice.size - certain(on: platform).count + choice.itemsAbove
    }

    /// Returns the items that clients of some platform need of an order that all platforms share.
    private func needed(of order: [UUID]) -> [UUID] {
        if turns { return Array(order.prefix(limit(on: nil))) }
        return order.indices.filter { index in
            ([nil] + (choice.filters ? WorldItem.allPlatforms : [])).contains { platform in
                runs(order[index], on: platform) && order[..<index].count { runs($0, on: platform) } < limit(on: platform)
            }
        }.map { order[$0] }
    }

    /// Returns the items of an earlier order that can be shown again.
    private func left(of before: [UUID]) -> [UUID] {
        before.filter { id in
            visible.contains { $0.id == id } && !certain().contains { $0.item == id } && !leavesByPrice(id)
        }
    }

    func visibleOrders(of orders: Orders) -> Orders {
        orders.mapValues { $0.filter { id in visible.contains { $0.id == id } && !leavesByPrice(id) } }
    }

    /// The pins for clients of the storefront, in the order of their slots. The first pin of an item counts.
    var pins: [VisiblePin] {
        var pins: [VisiblePin] = []
        for pin in choice.pins.sorted(by: { $0.slot < $1.slot }) {
            if let keys = storefronts(of: pin), !keys.contains(storefront.key) { continue }
            guard let reference = pin.item else {
                if !choice.isList { pins.append(VisiblePin(slot: pin.slot, item: nil, pin: pin)) }
                continue
            }
            guard let item = item(named: reference), visible.contains(where: { $0.id == item.id }) else { continue }
            if choice.isList, excluded.contains(item.id) { continue }
            if !pins.contains(where: { $0.item == item.id }) { pins.append(VisiblePin(slot: pin.slot, item: item.id, pin: pin)) }
        }
        return pins
    }

    /// The items of a section that some client can see.
    struct Seen {
        let items: Set<UUID>
        /// The number of items that one client can see.
        let maximum: Int
        /// Whether all clients see the same.
        let isSettled: Bool
    }

    /// Returns the items that some client can see, or nil if no client sees the section.
    ///
    /// Without a known platform, `order` is for clients of all platforms.
    func seenByAny(of order: [UUID], _ above: [SectionKey: Seen], on known: Fact<String>) -> Seen? {
        var platform: String?
        if case .said(let stated) = known { platform = stated }
        if !Self.includes(section.target, known) { return nil }
        func isRestricted(_ id: UUID) -> Bool { known == .unknown && platforms(of: id) != nil }
        let pins = pins.filter { pin in Self.includes(pin.pin.target, known) && pin.item.map { runs($0, on: platform) } ?? true }
        func isOpen(_ pin: VisiblePin) -> Bool { Self.isOpen(pin.pin.target, known) || pin.item.map(isRestricted) ?? false }
        let open = pins.filter(isOpen)
        var sure = Set(pins.filter { !isOpen($0) }.compactMap(\.item))
        var maximum = choice.size + open.count { $0.item != nil }
        var dependsOnOthers = false
        for key in choice.without {
            guard let other = above[key] else { continue }
            if other.isSettled {
                sure.formUnion(other.items)
            } else {
                maximum += min(other.items.count, other.maximum)
                dependsOnOthers = true
            }
        }
        var (left, seen, counts): ([UUID], Set<UUID>, [String: Int]) = ([], [], [:])
        for item in order where runs(item, on: platform) && !sure.contains(item) && seen.insert(item).inserted {
            let own = isRestricted(item) ? platforms(of: item) ?? [] : nil
            // An item that runs everywhere counts on each platform, also on one that no item names.
            let names = own ?? Set(WorldItem.allPlatforms + ["other"])
            let isNeeded = own == nil ? counts["other", default: 0] < maximum : names.contains { counts[$0, default: 0] < maximum }
            for name in names { counts[name, default: 0] += 1 }
            if isNeeded { left.append(item) }
        }
        let pinned = Set(pins.compactMap(\.item))
        if !open.isEmpty || left.contains(where: isRestricted) || dependsOnOthers && !left.isEmpty {
            return Seen(items: pinned.union(left), maximum: choice.size, isSettled: false)
        }
        left = Array(left.prefix(max(0, choice.size - pins.count)))
        guard pins.count + left.count >= max(choice.minItems, 1) else { return nil }
        let items = pinned.union(left)
        return Seen(items: items, maximum: items.count, isSettled: !Self.isOpen(section.target, known))
    }

    /// Whether a target depends on more than the storefront and a known platform.
    private static func isOpen(_ target: Target?, _ platform: Fact<String> = .unknown) -> Bool {
        for condition in target?.conditions ?? [] {
            switch condition {
            case .storefronts: continue
            case .platforms: if platform == .unknown { return true }
            default: return true
            }
        }
        return false
    }

    /// Whether a target can include clients of a platform.
    private static func includes(_ target: Target?, _ platform: Fact<String>) -> Bool {
        for case .platforms(let names) in target?.conditions ?? [] {
            switch platform {
            case .unknown: continue
            case .notSaid: return false
            case .said(let platform): if !names.contains(platform) { return false }
            }
        }
        return true
    }

    private func storefronts(of pin: Pin) -> [String]? {
        for case .storefronts(let keys) in pin.target?.conditions ?? [] { return keys }
        return nil
    }

    private func order(in locale: LocaleTag?, after before: [UUID]) -> (order: [UUID], isRetained: Bool, isKept: Bool) {
        let pins = pins
        let candidates = candidates(in: locale)
        if choice.isList {
            let pinned = pins.compactMap(\.item)
            return (needed(of: pinned + candidates.filter { !pinned.contains($0) }), false, false)
        }
        // Pins that only some clients see do not replace the items of a rule. The platform of a client does not matter here.
        let counted = choice.rule == nil ? pins : certain()
        func count(_ candidates: [UUID]) -> Int { min(choice.size, counted.count + candidates.count) }
        let found = needed(of: candidates)
        let left = needed(of: left(of: before))
        // Items that disappear on their own are not a drop of the rule.
        let (old, new) = (count(left), count(found))
        if new < choice.minItems { return old > new ? (left, true, true) : (found, false, false) }
        switch choice.maxDrop {
        case .items(let maximum) where old - new > maximum: return (left, true, true)
        case .share(let share) where Double(old - new) > share * Double(old): return (left, true, true)
        default: return (found, false, false)
        }
    }

    /// Whether the rule does not find an item whose price changes with the clock. Such an item is not retained.
    private func leavesByPrice(_ id: UUID) -> Bool {
        guard let rule = choice.rule, Self.dependsOnPrices(rule), let item = visible.first(where: { $0.id == id }) else { return false }
        return !pins.contains { $0.item == id } && item.periods[storefront.key] != nil && !holds(rule, for: item)
    }

    private static func dependsOnPrices(_ rule: Rule) -> Bool {
        switch rule {
        case .all(let rules), .any(let rules): rules.contains { dependsOnPrices($0) }
        case .not(let rule): dependsOnPrices(rule)
        case .price(.free), .price(.paid), .price(.atMost), .discounted: true
        default: false
        }
    }

    private var excluded: [UUID] { choice.excluded.compactMap { item(named: $0)?.id } }

    /// The items that the rule finds, without those that all clients see as pins.
    private func candidates(in locale: LocaleTag?, on platform: String? = nil) -> [UUID] {
        guard let rule = choice.rule else { return [] }
        let (pinned, excluded) = (certain().compactMap(\.item), excluded)
        let matching = visible.filter {
            !pinned.contains($0.id) && !excluded.contains($0.id) && runs($0.id, on: platform) && holds(rule, for: $0)
        }
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
            let order = rotation.visible(matching.map(\.id), limit: matching.count, step: 0, of: 1) { $0 }
            let start = order.isEmpty ? 0 : step(of: rotation) * (section.size - certain(on: platform).count) % order.count
            return Array(order[start...] + order[..<start])
        }
    }

    /// Returns the step of a rotation. The times of tests are after 1970.
    private func step(of rotation: Rotation) -> Int {
        let minutes = rotation.every.minutes
        if minutes.isMultiple(of: 1_440) { return Int(context.today.daysSince1970) / (minutes / 1_440) }
        return Int(world.time.microseconds) / 60_000_000 / minutes
    }

    private func holds(_ rule: Rule, for item: WorldItem) -> Bool {
        rule.holds(for: item.facts(in: storefront.key, at: world.time), in: context)
    }

    private func item(named reference: ItemReference) -> WorldItem? { world.items.first { $0.isNamed(by: reference) } }

    // MARK: One client

    /// Returns the shelf that a client sees, or nil if it does not see the section. `shown` has the items of the sections
    /// above that it sees.
    func shelf(
        of candidates: [UUID], without shown: [SectionKey: [UUID]], for client: WorldClient, _ locale: LocaleTag
    ) -> [ExpectedPage.Entry]? {
        let pins = pins.filter { pin in
            client.isIn(pin.pin.target, in: storefront, locale) && pin.item.map { runs($0, on: client.platform) } ?? true
        }
        let hidden = pins.compactMap(\.item) + choice.without.flatMap { shown[$0] ?? [] }
        var rest = candidates.filter { !hidden.contains($0) && runs($0, on: client.platform) }[...]
        var entries: [ExpectedPage.Entry] = []
        for slot in 0..<choice.size {
            if let pin = pins.first(where: { $0.slot == slot }) {
                entries.append(entry(pin, in: locale))
            } else if let next = rest.popFirst() {
                entries.append(entry(next, in: locale))
            }
        }
        return entries.isEmpty || entries.count < choice.minItems ? nil : entries
    }

    /// Returns the list of each client in each locale.
    func entries(_ orders: Orders) -> [LocaleTag: [[ExpectedPage.Entry]]] {
        Dictionary(
            uniqueKeysWithValues: storefront.locales.map { locale in
                let order = orders[Audience()] ?? orders[Audience(locale: locale)] ?? []
                let lists = WorldClient.all.map { client in
                    order.filter { runs($0, on: client.platform) }.prefix(choice.size).map { entry($0, in: locale) }
                }
                return (locale, lists)
            })
    }

    /// Returns the candidates of a client.
    static func order(_ orders: Orders, in locale: LocaleTag, on platform: String?) -> [UUID] {
        if let platform, let own = orders[Audience(platform: platform)] { return own }
        return orders[Audience()] ?? orders[Audience(locale: locale)] ?? []
    }

    private func entry(_ visible: VisiblePin, in locale: LocaleTag) -> ExpectedPage.Entry {
        switch visible.pin.content {
        case .card(let card): return ExpectedPage.Entry(item: nil, badges: [], initial: nil, card: card)
        case .item(_, let appearance):
            guard let item = visible.item else { return ExpectedPage.Entry(item: nil, badges: [], initial: nil) }
            var entry = entry(item, in: locale)
            entry.appearance = appearance
            return entry
        }
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

    /// Returns the title in the locale, else in the storefront's fallback, else in English, else in the first locale.
    private func title(of item: WorldItem, in locale: LocaleTag) -> String {
        for tag in [locale, storefront.defaultLocale, .english] {
            if let title = item.titles[tag] { return title }
        }
        return item.titles.min { $0.key.text < $1.key.text }?.value ?? ""
    }
}

import Items
import JSON
import Publishing
import TestSupport
import Values

@testable import Feeds

/// A random catalog with its feeds, in memory and as SQL that brings the database to the same state.
///
/// Its clock is ahead of the database clock and is at a quarter past an hour after each step. Days and rotations change at full hours, and
/// scheduled changes happen at a quarter to one, so the duration of a test has no effect.
struct World {
    static let tags = RuleCatalog.tags("en", "es", "de", "ar", "fr")
    private static let words = [
        "amber", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "maple", "oak", "pine", "zelkova", "9 lives",
    ]
    private static let sectionKeys = ["hero", "top", "empty", "rest"]

    let seed: UInt64
    private(set) var time: Timestamp
    private(set) var items: [WorldItem] = []
    private(set) var storefronts: [Storefront]
    private(set) var charts: [String: [UUID]] = [:]
    private(set) var feeds: [WorldFeed] = []
    /// The SQL that has not run in the database yet.
    private var script: String
    /// Whether sections can retain items that their rules no longer find.
    private let retains: Bool
    private var random: SeededRandom
    private var count = 0

    init(seed: UInt64, items: Int, feeds: Int, at time: Timestamp, retains: Bool = true) {
        self.seed = seed
        self.retains = retains
        self.time = time
        random = SeededRandom(seed: seed)
        // Two of three storefronts, because each one costs as much as the others.
        storefronts = RuleCatalog.storefronts
        script = """
            DELETE FROM storefronts WHERE key = '\(storefronts.remove(at: Int(seed % 3)).key)';
            """
        for _ in 0..<items { createItem() }
        for storefront in storefronts {
            script += "UPDATE storefronts SET rating_scheme = '\(storefront.ratingScheme)' WHERE key = '\(storefront.key)';\n"
            setChart(in: storefront.key)
        }
        for number in 1...feeds {
            self.feeds.append(WorldFeed(key: "feed-\(number)"))
            publish(number - 1, from: justNow())
        }
    }

    /// Returns and removes the SQL of all changes since the last call.
    mutating func takeScript() -> String {
        defer { script = "" }
        return "SET search_path = vitrine, public; BEGIN;\n\(script)COMMIT;"
    }

    /// Changes the catalog and some of the feeds.
    mutating func change() {
        for _ in 0..<number(0...2) { changeItem() }
        if chance(6) { setChart(in: storefronts[number(0...1)].key) }
        if chance(12) { changeLocales() }
        for feed in feeds.indices where chance(3) { changeFeed(feed) }
    }

    mutating func passTime() {
        time = time.advanced(by: .seconds([1, 1, 2, 6, 24, 24 * 8][number(0...5)] * 3_600))
    }

    func today(in storefront: Storefront, _ days: [String: CalendarDay]) -> CalendarDay { days[storefront.key] ?? .of("1970-01-01") }

    // MARK: Items

    private mutating func createItem() {
        let number = items.count + 1
        let isFood = chance(3)
        var item = WorldItem(
            id: UUID(high: random.next(), low: random.next()), number: number, kind: isFood ? .foodApp : .topApp, slug: "i\(number)")
        for aspect in 0...6 { vary(&item, aspect) }
        items.append(item)
        script += item.script
    }

    private mutating func changeItem() {
        if chance(10) { return createItem() }
        let index = number(0...items.count - 1)
        if items[index].isErased {
            items[index].isErased = false
            items[index].isWithdrawn = false
        } else if chance(20) {
            items[index].isErased = true
            for storefront in charts.keys { charts[storefront]?.removeAll { $0 == items[index].id } }
        } else if chance(5) {
            items[index].isWithdrawn.toggle()
        } else {
            var item = items[index]
            for _ in 0..<number(1...3) { vary(&item, number(0...7)) }
            items[index] = item
        }
        script += items[index].script
    }

    private mutating func vary(_ item: inout WorldItem, _ aspect: Int) {
        switch aspect {
        case 0:
            item.categories = item.kind == .foodApp ? ["dinner"] : [["games", "tools"], ["games"], ["tools"]][number(0...2)]
            if chance(3) { item.categories.append("new") }
        case 1 where item.kind == .foodApp:
            item.cuisines = Array(RandomRules.cuisines.shuffled(using: &random).prefix(number(1...2)))
            item.priceBand = number(1...4)
        case 1:
            item.prices = [:]
            for storefront in storefronts where chance(2) { item.prices[storefront.key] = [0, 99, 199, 200, 500][number(0...4)] }
            item.periods = chance(2) ? [:] : periods()
        case 2:
            item.rating = chance(5) ? nil : ([0, 110, 230, 409, 410, 435, 500][number(0...6)], number(1...12))
        case 3:
            let ages = [-1, 0, 1, 2, 13, 14, 39, 40, 400]
            let today = Int(time.microseconds / 86_400_000_000)
            item.day = CalendarDay(daysSince1970: today - ages[number(0...8)]) ?? item.day
        case 4:
            item.titles = [:]
            for tag in Self.tags where chance(2) { item.titles[tag] = Self.words[number(0...Self.words.count - 1)] }
            if item.titles.isEmpty { item.titles[Self.tags[number(0...4)]] = "only" }
        case 5, 6: item.windows = chance(2) ? nil : windows()
        default: item.slug = "\(["i", "r"][number(0...1)])\(item.number)"
        }
    }

    /// Returns price periods, which can touch.
    private mutating func periods() -> [String: [WorldItem.Period]] {
        var periods: [String: [WorldItem.Period]] = [:]
        for storefront in storefronts where chance(2) {
            let bounds = (0..<3).map { _ in quarterTo(number(-30...200)) }.sorted()
            for (from, until) in zip(bounds, bounds.dropFirst()) where from < until && !chance(4) {
                let amount = [0, 99, 120, 199][number(0...3)]
                let period = WorldItem.Period(
                    from: from, until: until, amount: amount, previous: chance(3) ? nil : [200, 500][number(0...1)])
                periods[storefront.key, default: []].append(period)
            }
        }
        return periods
    }

    private mutating func windows() -> [String: [WorldItem.Window]] {
        var windows: [String: [WorldItem.Window]] = [:]
        for storefront in storefronts where chance(3) || chance(2) {
            let bounds = (0..<4).map { _ in quarterTo(number(-30...200)) }.sorted()
            switch number(0...3) {
            case 0: windows[storefront.key] = [.init()]
            case 1: windows[storefront.key] = [.init(until: bounds[0])]
            case 2: windows[storefront.key] = [.init(from: bounds[0])]
            default: windows[storefront.key] = [.init(from: bounds[0], until: bounds[1]), .init(from: bounds[2], until: bounds[3])]
            }
        }
        return windows
    }

    private mutating func setChart(in storefront: String) {
        let ids = chance(8) ? [] : items.filter { !$0.isErased }.map(\.id).shuffled(using: &random)
        charts[storefront] = Array(ids.prefix(items.count / 2))
        script += "DELETE FROM charts WHERE storefront = '\(storefront)';"
        if ids.isEmpty { return }
        script += "INSERT INTO charts VALUES ('\(storefront)', 'top');"
        for (index, id) in ids.prefix(items.count / 2).enumerated() {
            script += "INSERT INTO chart_entries VALUES ('\(storefront)', 'top', \(index * 2 + 1), '\(id)');"
        }
        script += "\n"
    }

    /// Adds or removes a locale, or changes the time zone.
    private mutating func changeLocales() {
        let index = number(0...1)
        let old = storefronts[index]
        var (locales, timeZone) = (old.locales, old.timeZone)
        if chance(3) {
            timeZone = ["Asia/Tokyo", "Europe/Berlin", "America/New_York"][number(0...2)]
            script += "UPDATE storefronts SET time_zone = '\(timeZone)' WHERE key = '\(old.key)';\n"
        } else if locales.count > 2 {
            let gone = locales.removeLast()
            script += "DELETE FROM storefront_locales WHERE storefront = '\(old.key)' AND locale = '\(gone)';\n"
        } else {
            let added = RuleCatalog.tags("fr")[0]
            locales.append(added)
            script += "INSERT INTO storefront_locales VALUES ('\(old.key)', '\(added)', \(locales.count));\n"
        }
        storefronts[index] = Storefront(
            key: old.key, currency: old.currency, timeZone: timeZone, locales: locales, defaultLocale: old.defaultLocale,
            ratingScheme: old.ratingScheme)
    }

    // MARK: Feeds

    private mutating func changeFeed(_ feed: Int) {
        switch number(0...11) {
        case 0...3: publish(feed, from: justNow())
        case 4, 5: publish(feed, from: quarterTo(number(0...40)))
        case 6, 7: takeOver(feed)
        case 8, 9: cancel(feed)
        case 10: rollBack(feed)
        default:
            feeds[feed].isArchived.toggle()
            script += "UPDATE feeds SET archived_at = \(feeds[feed].isArchived ? "now()" : "NULL") WHERE key = '\(feeds[feed].key)';\n"
        }
    }

    private mutating func publish(_ feed: Int, from: Timestamp) {
        let revision = save(edited(feed), on: "main", of: feed)
        feeds[feed].publish(revision, from: from)
        script += "SELECT publish('\(feeds[feed].key)', 'base', \(revision), '\(from)');\n"
    }

    private mutating func takeOver(_ feed: Int) {
        let from = chance(2) ? justNow() : quarterTo(number(0...40))
        let until = chance(3) ? nil : from.advanced(by: .seconds(number(1...30) * 3_600))
        let revision = save(edited(feed), on: "xmas", of: feed)
        guard feeds[feed].takeOver(revision, from: from, until: until) else { return }
        let end = until.map { "'\($0)'" } ?? "NULL"
        script += "SELECT publish('\(feeds[feed].key)', 'takeover', \(revision), '\(from)', \(end));\n"
    }

    private mutating func rollBack(_ feed: Int) {
        let (revision, from) = (number(1...feeds[feed].revisions.count), justNow())
        feeds[feed].publish(revision, from: from)
        script += "SELECT publish('\(feeds[feed].key)', 'base', \(revision), '\(from)');\n"
    }

    private mutating func cancel(_ feed: Int) {
        guard let index = feeds[feed].publications.indices.randomElement(using: &random) else { return }
        let (key, cancelled) = (feeds[feed].key, feeds[feed].publications[index])
        feeds[feed].cancel(index)
        script += """
            SELECT cancel_publication(id) FROM publications
            WHERE feed = '\(key)' AND layer = '\(cancelled.layer.rawValue)' AND from_text = '\(cancelled.from)' AND cancelled_at IS NULL;

            """
    }

    private mutating func save(_ document: FeedDocument, on line: String, of feed: Int) -> Int {
        let text = String(decoding: document.canonical(), as: UTF8.self).replacing("'", with: "''")
        script += "SELECT save_revision('\(feeds[feed].key)', '\(line)', '\(text)');\n"
        return feeds[feed].save(document, on: line)
    }

    /// Returns a different document, in which usually one section is changed.
    private mutating func edited(_ feed: Int) -> FeedDocument {
        while true {
            var sections = feeds[feed].sections
            switch sections.isEmpty ? 0 : number(0...7) {
            case 0:
                sections = []
                for key in Self.sectionKeys.shuffled(using: &random).prefix(number(1...2)) {
                    sections.append((key, section(key, below: sections.map(\.key))))
                }
            case 1: sections.remove(at: number(0...sections.count - 1))
            case 2: sections.shuffle(using: &random)
            case 3:
                guard let key = Self.sectionKeys.first(where: { key in !sections.contains { $0.key == key } }) else { continue }
                sections.append((key, section(key, below: sections.map(\.key))))
            case 4: break
            default:
                let index = number(0...sections.count - 1)
                sections[index].json = section(sections[index].key, below: sections[..<index].map(\.key))
            }
            let text = """
                {"format": 2, "feed": "\(feeds[feed].key)", "title": {"en": "Feed"}, "sections": [\(sections.map(\.json).joined(separator: ", "))]}
                """
            // A section that another one references may be removed or moved below it.
            guard let document = try? FeedDocument(parsing: Array(text.utf8)) else { continue }
            feeds[feed].sections = sections
            return document
        }
    }

    private mutating func section(_ key: String, below above: [String]) -> String {
        let limit = number(1...6)
        let hasRule = !chance(8)
        var members = [
            #""key": "\#(key)", "layout": {"list": {}}, "cell": "row", "title": {"en": "\#(number(0...99))"}, "size": \#(limit)"#
        ]
        if hasRule {
            members.append(#""rule": \#(shelfRule(below: above))"#)
            let periods = ["PT1H", "PT6H", "P1D", "P2D", "P1W"]
            switch number(0...5) {
            case 0: members.append(#""sort": {"chart": "top"}"#)
            case 1, 2:
                members.append(#""sort": {"rotate": {"seed": "s\#(number(0...2))", "every": "\#(periods[number(0...4)])"}}"#)
            case 3: members.append(#""sort": "title""# + (chance(2) ? #", "group": "initial""# : ""))
            case 4: members.append(#""sort": "-releaseDate""#)
            default: break
            }
        }
        let isGrouped = members.contains { $0.contains(#""group""#) }
        let slots = (0..<limit).shuffled(using: &random).prefix(hasRule ? max(0, number(-2...3)) : number(1...3)).sorted()
        var pinned: Set<String> = []
        var pins: [String] = []
        for slot in slots {
            if let pin = pin(at: slot, isGrouped: isGrouped, &pinned) { pins.append(pin) }
        }
        if !pins.isEmpty { members.append(#""pins": [\#(pins.joined(separator: ", "))]"#) }
        let excluded = Set((0..<max(0, number(-3...3))).map { _ in reference() }).subtracting(pinned).sorted()
        if !excluded.isEmpty { members.append(#""exclude": [\#(excluded.map { "\"\($0)\"" }.joined(separator: ", "))]"#) }
        members += list(hasRule: hasRule, isGrouped: isGrouped)
        let minItems = chance(2) ? number(0...limit) : 1
        let maxDrop = chance(3) ? ["0", "1", "2", "0.25", "0.5"][number(0...4)] : nil
        if minItems != 1 || !retains { members.append(#""minItems": \#(retains ? minItems : 0)"#) }
        if let maxDrop, retains { members.append(#""maxDrop": \#(maxDrop)"#) }
        if chance(4) { members.append(#""target": \#(target())"#) }
        if chance(5) { members.append(#""during": \#(period())"#) }
        if chance(3) {
            members.append(#""badges": [{"badge": "new", "when": \#(rule(below: above))}, {"badge": "pick", "on": ["\#(reference())"]}]"#)
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// Returns a pin of an item or of a card, or nil if the item is already pinned.
    private mutating func pin(at slot: Int, isGrouped: Bool, _ pinned: inout Set<String>) -> String? {
        var members = [#""slot": \#(slot)"#]
        if !isGrouped, chance(4) {
            members.append(#""card": {"key": "c\#(slot)", "title": {"en": "Card \#(number(0...9))"}, "action": {"feed": "feed-1"}}"#)
        } else {
            let item = reference()
            guard pinned.insert(item).inserted else { return nil }
            members.append(#""item": "\#(item)""#)
            if chance(4) { members.append(#""show": {"title": {"en": "Show \#(number(0...9))"}, "action": {"item": "topapp:i1"}}"#) }
        }
        if !isGrouped, chance(2) { members.append(#""target": \#(target())"#) }
        return "{\(members.joined(separator: ", "))}"
    }

    /// Returns a period with one bound or two, which are instants, or wall clocks of about the same time somewhere.
    private mutating func period() -> String {
        let bounds = [number(-30...60), number(-30...60)].sorted().map { hours -> String in
            let time = quarterTo(hours)
            return chance(2) ? "\(time)" : "\("\(time.advanced(by: .seconds([-5, 1, 9][number(0...2)] * 3_600)))".prefix(16))"
        }
        switch number(0...3) {
        case 0: return #"{"from": "\#(bounds[0])"}"#
        case 1: return #"{"until": "\#(bounds[1])"}"#
        default: return #"{"from": "\#(bounds[0])", "until": "\#(bounds[1])"}"#
        }
    }

    private mutating func target() -> String { WorldClient.targets[number(0...WorldClient.targets.count - 1)] }

    /// Returns a rule that often does not repeat the items of sections above.
    private mutating func shelfRule(below above: [String]) -> String {
        guard let first = above.randomElement(using: &random), chance(2) else { return rule(below: above) }
        let all = above.map { "\"\($0)\"" }.joined(separator: ", ")
        while true {
            let own = rule(below: above)
            let text =
                switch number(0...3) {
                case 0: #"{"not": {"inSection": "\#(first)"}}"#
                case 1: #"{"all": [{"not": {"inSection": [\#(all)]}}, \#(own)]}"#
                case 2: #"{"any": [{"not": {"inSection": "\#(first)"}}, \#(own)]}"#
                default: #"{"all": [\#(own), {"not": {"inSection": "\#(first)"}}]}"#
                }
            guard let rule = try? Rule(parsing: Array(text.utf8)), (try? RuleNormalForm.check(rule)) != nil else { continue }
            return text
        }
    }

    private mutating func list(hasRule: Bool, isGrouped: Bool) -> [String] {
        var members: [String] = []
        let continues = isGrouped || chance(4)
        if continues, !isGrouped { members.append(#""continues": true"#) }
        guard chance(2) else { return members }
        var list = [#""title": {"en": "All"}, "size": \#(number(1...9))"#]
        let hasOwnRule = !continues && chance(3)
        if hasOwnRule { list.append(#""rule": \#(rule(below: []))"#) }
        if !continues, hasRule || hasOwnRule {
            switch number(0...4) {
            case 0: list.append(#""sort": {"chart": "top"}"#)
            case 1: list.append(#""sort": "title""# + (chance(2) ? #", "group": "initial""# : ""))
            case 2: list.append(#""sort": "-rating""#)
            default: break
            }
        }
        if chance(3) { list.append(#""exclude": ["\#(reference())"]"#) }
        return members + [#""seeAll": {\#(list.joined(separator: ", "))}"#]
    }

    private mutating func rule(below above: [String]) -> String {
        while true {
            var rules = RandomRules(random: random)
            let rule = rules.rule(depth: 2)
            random = rules.random
            guard rule.sections.allSatisfy({ above.contains($0.text) }), (try? RuleNormalForm.check(rule)) != nil else { continue }
            var json = JSONWriter()
            rule.encode(to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    private mutating func reference() -> String {
        if chance(15) { return "topapp:nobody" }
        let item = items[number(0...items.count - 1)]
        return chance(3) ? item.id.description : ItemReference.slug(item.kind, item.slug).description
    }

    // MARK: Randomness

    /// Returns a time ten minutes ago and slightly later in each call, because no two publications start at the same time.
    private mutating func justNow() -> Timestamp {
        count += 1
        return time.advanced(by: .milliseconds(count - 600_000))
    }

    /// Returns the time half an hour after the clock will be moved by the given hours, and slightly later in each call.
    private mutating func quarterTo(_ hours: Int) -> Timestamp {
        count += 1
        return time.advanced(by: .seconds(hours * 3_600 + 1_800) + .milliseconds(count))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }
}

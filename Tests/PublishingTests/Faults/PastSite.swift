import TestSupport
import Values

/// A random catalog with feeds as a program before publications per storefront has left it, and what clients see of it.
struct PastSite {
    struct Storefront {
        let key: String
        let currency: String
        let zone: String
        let locale: String

        static let all = [
            Storefront(key: "us", currency: "USD", zone: "America/New_York", locale: "en"),
            Storefront(key: "de", currency: "EUR", zone: "Europe/Berlin", locale: "de"),
            Storefront(key: "sa", currency: "SAR", zone: "Asia/Riyadh", locale: "ar"),
            Storefront(key: "kw", currency: "KWD", zone: "Asia/Kuwait", locale: "ar"),
            Storefront(key: "nz", currency: "NZD", zone: "Pacific/Auckland", locale: "en"),
            Storefront(key: "in", currency: "INR", zone: "Asia/Kolkata", locale: "en"),
        ]
    }

    struct Item {
        let name: String
        let platforms: [String]
        let minimumVersion: String?
        let ageRating: String
        /// The prices by storefront, in minor units.
        let prices: [String: Int]
    }

    /// A target of the former format in a revision: a range of the places of an experiment.
    struct Bucket {
        let feed: String
        let revision: Int
        let section: String
        let isPin: Bool
        let experiment: String
        let places: Range<Int>
    }

    struct Publication {
        let id: Int
        let feed: String
        let isTakeover: Bool
        let revision: Int
        /// The start in microseconds since 1970.
        let from: Int
        let until: Int?

        func isLive(at time: Int) -> Bool { from <= time && time < until ?? .max }
    }

    private(set) var storefronts: [Storefront]
    private(set) var items: [Item] = []
    private(set) var archivedFeeds: Set<String> = []
    private(set) var revisions: [(feed: String, number: Int, line: String, document: String)] = []
    private(set) var buckets: [Bucket] = []
    private(set) var publications: [Publication] = []
    let now: Int
    private var random: SeededRandom

    private static let minute = 60_000_000
    private static let platforms = ["android", "ios", "ipados", "linux", "macos", "tvos", "visionos", "watchos"]

    init(seed: UInt64, now: Int) {
        random = SeededRandom(seed: seed)
        self.now = now
        storefronts = Array(Storefront.all.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
        // Every other catalog has more items than a page shows of a section.
        for number in 0..<Int.random(in: 0...(seed.isMultiple(of: 2) ? 6 : 40), using: &random) { addItem(number) }
        for number in 0..<Int.random(in: 1...5, using: &random) { addFeed("feed-\(number)") }
        let ids = publications.indices.shuffled(using: &random)
        // Canceled publications have left gaps.
        var next = 0
        for index in ids {
            next += Int.random(in: 1...3, using: &random)
            let old = publications[index]
            publications[index] = Publication(
                id: next, feed: old.feed, isTakeover: old.isTakeover, revision: old.revision, from: old.from, until: old.until)
        }
    }

    private mutating func addItem(_ number: Int) {
        let count = Int.random(in: 1...3, using: &random)
        var prices: [String: Int] = [:]
        for storefront in storefronts where Bool.random(using: &random) {
            prices[storefront.key] = Int.random(in: 0...2_000, using: &random)
        }
        items.append(
            Item(
                name: "app-\(number)", platforms: Array(Self.platforms.shuffled(using: &random).prefix(count)).sorted(),
                minimumVersion: ["16.2", "9", "iOS 9 or later", nil].randomElement(using: &random) ?? nil,
                ageRating: ["4+", "9+", "12+", "17+"].randomElement(using: &random) ?? "4+", prices: prices))
    }

    private mutating func addFeed(_ key: String) {
        let count = Int.random(in: 1...4, using: &random)
        for number in 1...count { addRevision(number, of: key) }
        if Int.random(in: 0..<6, using: &random) == 0 { archivedFeeds.insert(key) }
        addBases(of: key, count)
        addTakeovers(of: key, count)
    }

    // MARK: Documents

    private mutating func addRevision(_ number: Int, of feed: String) {
        let isFormat1 = Bool.random(using: &random)
        var sections: [String] = []
        for index in 0..<Int.random(in: 0...3, using: &random) {
            let key = "s\(index)"
            var content = #""rule":{"kind":"topApp"}"#
            if isFormat1 {
                content = selectionOfFormat1()
            } else if Bool.random(using: &random) {
                let target = target(feed, number, key, isPin: true)
                content = #""pins":[{"card":{"key":"c","title":{"en":"Card"}},"slot":0\#(target)}],\#(content)"#
            }
            let target = target(feed, number, key, isPin: false)
            sections.append(#"{"cell":"row","key":"\#(key)","layout":{"list":{}},\#(content)\#(target)}"#)
        }
        let format = isFormat1 ? "" : #""format":2,"#
        let document =
            #"{"feed":"\#(feed)",\#(format)"sections":[\#(sections.joined(separator: ","))],"title":{"en":"Revision \#(number)"}}"#
        revisions.append((feed, number, Int.random(in: 0..<4, using: &random) == 0 ? "night" : "main", document))
    }

    /// Returns the members that select the items of a section of format 1. In that format a limit can exceed what a page shows. A
    /// section with a rule has no pin at slot 100 or above, which has another slot in format 2.
    private mutating func selectionOfFormat1() -> String {
        var limit = 100
        var members: [String] = []
        if Int.random(in: 0..<6, using: &random) > 0 {
            limit = Int.random(in: 1...60, using: &random)
            members.append(#""limit":\#(limit)"#)
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
            members.append(#""minItems":\#(Int.random(in: 1...min(limit, PastSection.maxItems), using: &random))"#)
        }
        let counts = [0, 0, Int.random(in: 1...4, using: &random), Int.random(in: 1...30, using: &random)]
        let pinned = items.map(\.name).shuffled(using: &random).prefix(counts.randomElement(using: &random) ?? 0)
        let slots = (0..<limit).shuffled(using: &random)
        let pins = zip(slots, pinned).map { #"{"item":"topapp:\#($1)","slot":\#($0)}"# }
        if !pins.isEmpty { members.append(#""pins":[\#(pins.joined(separator: ","))]"#) }
        if pins.isEmpty || Int.random(in: 0..<3, using: &random) > 0 { members.append(#""rule":{"kind":"topApp"}"#) }
        if Bool.random(using: &random) { members.append(#""seeAll":{"title":{"en":"All"}}"#) }
        return members.joined(separator: ",")
    }

    /// Returns the member of a target, or nothing.
    private mutating func target(_ feed: String, _ revision: Int, _ section: String, isPin: Bool) -> String {
        guard Int.random(in: 0..<5, using: &random) < 3 else { return "" }
        let experiment = ["weekend", "dark"].randomElement(using: &random) ?? "dark"
        let bounds = [0, 10, 25, 50, 60, 90, 100].shuffled(using: &random).prefix(2).sorted()
        buckets.append(
            Bucket(
                feed: feed, revision: revision, section: section, isPin: isPin, experiment: experiment, places: bounds[0]..<bounds[1]))
        return #","target":{"bucket":{"experiment":"\#(experiment)","from":\#(bounds[0]),"to":\#(bounds[1])}}"#
    }

    // MARK: Publications

    /// Returns distinct times around now, sorted. Some have seconds, and some microseconds.
    private mutating func times(_ count: Int) -> [Int] {
        let units = [Self.minute, 1_000_000, 1]
        let times = (0..<count).map { _ in
            let unit = units.randomElement(using: &random) ?? 1
            return (now + Int.random(in: -90_000...90_000, using: &random) * Self.minute + Int.random(in: 0..<Self.minute, using: &random))
                / unit * unit
        }
        return Set(times).sorted()
    }

    /// Each base lasts until the next one, or until it was canceled. Only a live base could be canceled.
    private mutating func addBases(of feed: String, _ revisions: Int) {
        let starts = times(Int.random(in: 0...5, using: &random))
        for (index, from) in starts.enumerated() {
            var until = index + 1 < starts.count ? starts[index + 1] : nil
            if from < now, Int.random(in: 0..<4, using: &random) == 0 {
                let canceled = Int.random(in: from + 1...min(now, until ?? now), using: &random)
                until = min(canceled, until ?? canceled)
            }
            publications.append(publication(feed, false, revisions, from, until))
        }
    }

    /// Takeovers do not overlap. The last one can be open-ended.
    private mutating func addTakeovers(of feed: String, _ revisions: Int) {
        let bounds = times(2 * Int.random(in: 0...3, using: &random))
        for index in stride(from: 0, to: bounds.count - 1, by: 2) {
            let isOpen = index + 2 >= bounds.count && Bool.random(using: &random)
            publications.append(publication(feed, true, revisions, bounds[index], isOpen ? nil : bounds[index + 1]))
        }
    }

    private mutating func publication(_ feed: String, _ isTakeover: Bool, _ revisions: Int, _ from: Int, _ until: Int?) -> Publication {
        Publication(
            id: 0, feed: feed, isTakeover: isTakeover, revision: Int.random(in: 1...revisions, using: &random), from: from, until: until)
    }
}

// MARK: What clients see

extension PastSite {
    /// The times that matter: the present, each bound, and a minute before and after it.
    var times: [Int] {
        let bounds = publications.flatMap { [$0.from, $0.until].compactMap(\.self) }
        return Set([now] + bounds.flatMap { [$0 - Self.minute, $0 - 1, $0, $0 + Self.minute] }).sorted()
    }

    /// A time that is far from each bound: a minute after one of those ahead, or the present.
    var quietTime: Int {
        let bounds = publications.flatMap { [$0.from, $0.until].compactMap(\.self) }.filter { $0 > now }.sorted()
        let quiet = bounds.filter { bound in !bounds.contains { bound < $0 && $0 < bound + 3 * Self.minute } }
        return quiet.isEmpty ? now : quiet[quiet.count / 2] + Self.minute
    }

    /// Returns the publication of a feed that clients see at a time.
    func shown(_ feed: String, at time: Int) -> Publication? {
        guard !archivedFeeds.contains(feed) else { return nil }
        let live = publications.filter { $0.feed == feed && $0.isLive(at: time) }
        return live.first(where: \.isTakeover) ?? live.first
    }

    /// The slugs of all items in the order of a rule: the last item of the catalog first.
    private var slugs: [String] { items.map(\.name).reversed() }

    /// Returns what each client sees of a revision: the slugs of the items of each section.
    func pages(of feed: String, revision: Int, for clients: [String]) throws -> [[String: [String]]] {
        let (sections, slugs) = (try sections(of: feed, revision: revision), slugs)
        return clients.map { client in
            var page: [String: [String]] = [:]
            for section in sections { page["\(feed)/\(section.key)"] = section.items(of: slugs, for: client) }
            return page
        }
    }

    /// Returns the slugs of the items of each list of a revision.
    func lists(of feed: String, revision: Int) throws -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for section in try sections(of: feed, revision: revision) { lists["\(feed)/\(section.key)"] = section.list(of: slugs) }
        return lists
    }

    /// Returns the sections of a revision.
    func sections(of feed: String, revision: Int) throws -> [PastSection] {
        try revisions.first { $0.feed == feed && $0.number == revision }.map { try PastSection.all(of: $0.document) } ?? []
    }

    /// Returns a line for each feed that is live at the time: the time, the revision, the layer, and the next change.
    func live(at time: Int) -> [String] {
        Set(publications.map(\.feed)).sorted().compactMap { feed in
            let own = publications.filter { $0.feed == feed }
            guard let shown = shown(feed, at: time) else { return nil }
            let next = own.flatMap { [$0.from, $0.until].compactMap(\.self) }.filter { $0 > time }.min()
            return "\(time) \(feed) r\(shown.revision) \(shown.isTakeover ? "takeover" : "base") \(next.map(String.init) ?? "-")"
        }
    }

    /// Returns the IDs of the publications that were canceled: bases without a successor at their end.
    var canceled: [Int] {
        publications.filter { publication in
            guard !publication.isTakeover, let end = publication.until else { return false }
            return !publications.contains { $0.feed == publication.feed && !$0.isTakeover && $0.from == end }
        }.map(\.id).sorted()
    }
}

// MARK: Rows

extension PastSite {
    /// The statements that insert the rows, for the schema before publications per storefront.
    var script: String {
        var sql = storefronts.map { storefront in
            """
            INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale)
            VALUES ('\(storefront.key)', '\(storefront.currency)', '\(storefront.zone)', '\(storefront.locale)');
            INSERT INTO vitrine.storefront_locales (storefront, locale, rank) VALUES ('\(storefront.key)', '\(storefront.locale)', 1);
            """
        }
        sql.append("INSERT INTO vitrine.categories (key, item_kind) VALUES ('tools', 'topApp');")
        for item in items {
            sql.append(
                """
                SELECT pg_temp.top_app('\(item.name)', '{"en": "App"}');
                UPDATE vitrine.top_apps
                SET platforms = '{\(item.platforms.joined(separator: ","))}', minimum_os = \(item.minimumVersion.map { "'\($0)'" } ?? "NULL"),
                    age_rating = '\(item.ageRating)'
                WHERE bundle_id = 'org.\(item.name)';
                """)
            for storefront in storefronts {
                guard let price = item.prices[storefront.key] else { continue }
                sql.append(
                    """
                    INSERT INTO vitrine.item_prices (item_id, storefront, role, amount_minor, currency)
                    VALUES (md5('\(item.name)')::uuid, '\(storefront.key)', 'price', \(price), '\(storefront.currency)');
                    """)
            }
        }
        for feed in Set(revisions.map(\.feed)).sorted() {
            let archived = archivedFeeds.contains(feed) ? "now()" : "NULL"
            sql.append("INSERT INTO vitrine.feeds (key, archived_at) VALUES ('\(feed)', \(archived));")
        }
        for (feed, number, line, document) in revisions {
            sql.append(
                """
                INSERT INTO vitrine.revisions (feed, number, line, document, saved_at)
                VALUES ('\(feed)', \(number), '\(line)', '\(document)', now() - interval '\(100 - number) days');
                """)
        }
        // The history is older than the transaction.
        sql.append("SELECT set_config('vitrine.present', '-infinity', false);")
        for publication in publications.sorted(by: { $0.id < $1.id }) {
            let until = publication.until.map(Self.instant) ?? "NULL"
            sql.append(
                """
                INSERT INTO vitrine.publications (id, feed, layer, revision, during, time_zone) OVERRIDING SYSTEM VALUE
                VALUES (
                    \(publication.id), '\(publication.feed)', '\(publication.isTakeover ? "takeover" : "base")', \(publication.revision),
                    tstzrange(\(Self.instant(publication.from)), \(until)), 'UTC');
                """)
        }
        sql.append("SELECT set_config('vitrine.present', '', false);")
        return sql.joined(separator: "\n")
    }

    private static func instant(_ microseconds: Int) -> String {
        "timestamptz 'epoch' + \(microseconds) * interval '1 microsecond'"
    }
}

import Feeds
import Items
import JSON
import Layout
import Resolve
import SQLFiles
import ScreenFiles
import Security
import TestSupport
import Testing
import Values

@Suite("The sample feeds")
struct SampleFeedsTests {
    private static let locales = Set(["en", "de", "ar", "ja"].compactMap { LocaleTag($0) })
    private let feeds: [FeedDocument]
    private var sections: [FeedSection] { feeds.flatMap(\.sections) }
    private var pins: [Pin] { sections.flatMap(\.pins) }
    private var expansions: [Expansion] { sections.map { $0.layout.expanded(at: 0) } }

    init() throws { feeds = try nonEmpty(SQLFiles.sampleFeeds, "sample feeds").map { try FeedDocument(parsing: $0.bytes) } }

    @Test("The samples are five pages, one of them with a takeover, and two stories")
    func keys() {
        func keys(_ kind: FeedDocument.Kind) -> [String] { feeds.filter { $0.kind == kind }.map(\.key.text).sorted() }
        #expect(keys(.page) == ["apps", "food", "games", "search", "today", "today"])
        #expect(keys(.story) == ["harbor-story", "street-food"])
        #expect(Set(feeds.filter { $0.key.text == "today" }.map(\.title)).count == 2)
    }

    @Test("The samples reference only resources of the sample catalog, and feeds and lists of the samples")
    func references() throws {
        let records = try nonEmpty(SQLFiles.sample, "files of the sample").flatMap { file in
            try file.bytes.split(separator: UInt8(ascii: "\n")).map { try JSONDocument(parsing: Array($0)).root }
        }
        func texts(_ node: JSONNode?) -> [String] { node?.elements.compactMap(\.string) ?? [] }
        var known: Set<ExternalReference.Subject> = [.scheme("https"), .experiment("weekend"), .arm("pairs", of: "weekend")]
        // The platforms that the sample serves.
        let platforms = ["android", "ios", "ipados"]
        known.formUnion(platforms.map { .servedPlatform($0) })
        for feed in feeds {
            known.insert(.feed(feed.key))
            known.formUnion(feed.sections.filter { $0.list != nil }.map { .list(feed: feed.key, section: $0.key) })
        }
        for record in records {
            let key = record["key"]?.string ?? ""
            switch record["kind"]?.string {
            case "storefront":
                known.insert(.storefront(key))
                known.formUnion(texts(record["locales"]).map { .locale($0) })
            case "category": known.insert(.category(key))
            case "chart": known.insert(.chart(record["name"]?.string ?? ""))
            case let kind?:
                let item = try #require(ItemReference("\(kind.lowercased()):\(record["source"]?.string ?? "")"))
                known.insert(.item(item))
                known.formUnion(texts(record["cuisines"]).map { .cuisine($0) })
            case nil: Issue.record("a record without a kind")
            }
        }
        let references = feeds.flatMap(\.references)
        #expect(references.count > 60)
        for reference in references { #expect(known.contains(reference.subject), "\(reference.section) \(reference.pointer)") }
    }

    @Test("The samples have every text in every locale")
    func texts() {
        let texts =
            feeds.map(\.title) + sections.flatMap { [$0.title, $0.subtitle, $0.seeAll?.title] }.compactMap(\.self)
            + pins.flatMap(\.localizedTexts)
        #expect(texts.contains { $0.texts.values.contains { $0.contains("\n") } })
        for text in texts { #expect(Set(text.texts.keys) == Self.locales, "\(text.texts.values)") }
    }

    @Test("The samples use every layout family and scrolling behavior, and have variants and alternates")
    func layouts() {
        #expect(Set(expansions.compactMap { $0.layout.family?.kind }) == [.list, .grid, .nestedGroup, .carousel])
        #expect(
            Set(expansions.map(\.layout.section.orthogonalScrollingBehavior)) == [
                .none, .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
            ])
        #expect(sections.contains { !$0.cells.slots.isEmpty })
        #expect(expansions.contains { !$0.variants.isEmpty } && expansions.contains { $0.active != nil && !$0.alternates.isEmpty })
    }

    @Test("The samples have no errors on any screen")
    func screens() throws {
        let matrix = try ScreenMatrix.builtIn()
        for feed in feeds {
            var site = ReviewContext()
            for reference in feed.references {
                switch reference.subject {
                case .item(let item): site.items[item] = .everywhere
                case .category(let key): site.categories.insert(key)
                case .cuisine(let key): site.cuisines.insert(key)
                case .developer(let name): site.developers.insert(name)
                case .tag(let slug): site.tags.insert(slug)
                case .platform(let key): site.platforms.insert(key)
                case .servedPlatform(let key):
                    site.platforms.insert(key)
                    site.servedPlatforms.append(key)
                case .chart(let name): site.charts["us", default: []].insert(name)
                case .arm(let arm, let key): site.arms[key, default: []].insert(arm)
                case .storefront, .locale, .feed, .list, .scheme, .experiment: continue
                }
            }
            site.actionSchemes = ["https"]
            site.openings = openings
            let review = PublicationReviewer(
                of: feed, in: site, during: site.always(.epoch ..< .latest), on: matrix, hashedBy: Digest.sha256)
            let findings = review.findings
            #expect(findings.filter { $0.severity == .error || $0.code.rawValue == "DEAD_ACTION" } == [], "\(feed.key)")
        }
    }

    /// The feeds, each of which is live all the time.
    private var openings: [FeedKey: FeedOpenings] {
        Dictionary(
            feeds.map { feed -> (FeedKey, FeedOpenings) in
                let lists = feed.sections.filter { $0.list != nil }.map { ($0.key, $0.target?.storefronts ?? []) }
                let span = FeedOpenings.Span(layer: .base, during: .epoch ..< .latest, lists: Dictionary(uniqueKeysWithValues: lists))
                return (feed.key, FeedOpenings([span]))
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test("The samples use every feature of a section")
    func parts() {
        #expect(
            sections.contains { !$0.pins.isEmpty } && sections.contains { !$0.exclusions.isEmpty } && sections.contains { $0.rule == nil })
        #expect(sections.contains { $0.minItems > 1 } && sections.contains { $0.seeAll != nil } && sections.contains { $0.skeleton != nil })
        #expect(sections.contains { $0.grouping == .initial && $0.sort == .title })
        #expect(sections.contains { !$0.without.isEmpty })
        #expect(pins.contains { $0.card?.image != nil } && pins.contains { $0.target != nil })
        #expect(pins.contains { $0.item != nil && $0.action != nil })
        #expect(Set(pins.compactMap { $0.action?.kind }) == [.item, .story, .list, .url])
        #expect(pins.contains { $0.card?.body != nil })
        let bearers = sections.flatMap(\.badges).map(\.bearers)
        #expect(
            bearers.contains { if case .rule = $0 { true } else { false } }
                && bearers.contains { if case .items = $0 { true } else { false } })
        let drops = sections.compactMap(\.maxDrop)
        #expect(
            drops.contains { if case .share = $0 { true } else { false } } && drops.contains { if case .items = $0 { true } else { false } }
        )
        #expect(sections.contains { if case .rotation = $0.sort { true } else { false } })
        #expect(sections.contains { if case .chart = $0.sort { true } else { false } })
        let conditions = sections.compactMap { $0.target?.conditions }
        #expect(
            conditions.contains {
                if case .platforms? = $0.first, case .experiment? = $0.last { $0.count == 3 } else { false }
            })
        for section in sections { if let rule = section.rule { #expect(throws: Never.self) { try RuleNormalForm.check(rule) } } }
    }
}

extension Pin {
    /// The texts of the card, or those that the item has instead of its own.
    fileprivate var localizedTexts: [LocalizedText] {
        switch content {
        case .item(_, let appearance): appearance?.texts.map(\.text) ?? []
        case .card(let card): card.texts.map(\.text)
        }
    }
}

import Feeds
import HTTP
import HTTPMessages
import Items
import JSON
import Layout
import Resolve
import SQLFiles
import Security
import TestDatabase
import TestSupport
import Testing
import Values
import VitrineClient

@testable import API

@Suite("The ways to a page", .databaseForEachTest)
struct TwoWaysTests {
    private static let targets = [
        #"{"platforms": ["ios"]}"#, #"{"platforms": ["ipados", "android"], "appVersion": ">=3.0"}"#, #"{"appVersion": "<3"}"#,
        #"{"os": ">=17"}"#,
        #"{"tags": ["beta"]}"#, #"{"locales": ["en"]}"#, #"{"storefronts": ["us"]}"#,
        #"{"tags": ["beta", "vip"], "appVersion": ">=2.5 <4"}"#,
    ]

    /// A feed with a section for each target and one for everybody.
    private static let targeted: String = {
        let sections = ([nil] + targets).enumerated().map { index, target in
            #"{"key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "size": \#(index % 3 + 2), "rule": {"kind": "topApp"}\#(target.map { #", "target": \#($0)"# } ?? "")}"#
        }
        return #"{"format": 2, "feed": "targeted", "title": {"en": "T"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    /// The clients of each page.
    private static let clientsOfEachPage = TestVariable.number("CLIENTS_OF_EACH_PAGE") ?? 3

    /// A feed whose sections have cards, pins with targets, and sections above whose items they do not repeat.
    private static let pinned: String = {
        func pin(_ slot: Int, _ content: String, _ target: Int? = nil) -> String {
            #"{"slot": \#(slot), \#(content)\#(target.map { #", "target": \#(targets[$0])"# } ?? "")}"#
        }
        func card(_ key: String) -> String { #""card": {"key": "\#(key)", "title": {"en": "Card"}, "action": {"story": "street-food"}}"# }
        func item(_ slug: String) -> String { #""item": "topapp:\#(slug)""# }
        func section(_ members: String, _ rule: String, _ pins: String...) -> String {
            let list = pins.joined(separator: ", ")
            return #"{\#(members), "layout": {"list": {}}, "cell": "row", "rule": \#(rule), "pins": [\#(list)]}"#
        }
        // Nine apps, fewer than all shelves together show.
        let apps = #"{"category": "music"}"#
        let shown = #"\#(item("hum-score")), "show": {"title": {"en": "Shown", "de": "Gezeigt"}, "action": {"list": "pinned/top"}}"#
        let rotation = #""sort": {"rotate": {"seed": "s", "every": "P1D"}}"#
        let look = #"""
            "title": {"en": "Top", "de": "Oben"}, "subtitle": {"en": "Music"},
            "seeAll": {"title": {"en": "All"}, "layout": {"grid": {"columns": 2}}, "cell": "card"},
            "alternates": {"rows": "active", "grid": {"layout": {"grid": {"columns": 3}}, "cell": "tile"}},
            "badges": [{"badge": "new", "on": ["topapp:oud-corner", "topapp:metronome-moth"]}]
            """#
        let sections = [
            section(#""key": "hero", "size": 3"#, apps, pin(0, card("a"), 4), pin(1, shown, 0)),
            section(
                #""key": "top", "size": 4, "minItems": 3, \#(look)"#, #"{"all": [\#(apps), {"not": {"inSection": "hero"}}]}"#,
                pin(0, item("oud-corner"), 2),
                pin(2, card("b"))),
            section(#""key": "turn", "size": 2, \#(rotation)"#, #"{"not": {"inSection": ["hero", "top"]}}"#),
            section(#""key": "beta", "size": 2, "target": \#(targets[4])"#, apps, pin(1, item("glass-harp"), 1)),
            section(
                #""key": "rest", "size": 9, "minItems": 2, "continues": true"#,
                #"{"all": [\#(apps), {"not": {"inSection": ["hero", "top", "beta"]}}]}"#,
                pin(0, shown, 7)),
            section(
                #""key": "titles", "sort": "title""#, #"{"not": {"inSection": "rest"}}"#, pin(0, card("c"), 5),
                pin(1, item("metronome-moth"), 3)),
        ]
        return #"{"format": 2, "feed": "pinned", "title": {"en": "P"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    private struct Page {
        let contents: ShownPage
        let edition: Edition

        init(_ response: Response, on platform: String?) throws {
            let document = try JSONDocument(parsing: Array(response.text.utf8), limits: .page)
            contents = ShownPage(page: document.root, on: platform)
            edition = try document.decodeLeniently(Edition.self).value
        }

        var shelves: [ShownPage.Shelf] { TwoWaysTests.shelves(of: edition) }
    }

    private static let parts = 3

    @Test(
        "In each feed, storefront, locale and platform, a resolved shared page, a resolved copy of sync and a personal page are the same",
        arguments: 0..<parts)
    func same(part: Int) async throws {
        let seed = Seeds.fresh
        let all =
            try SQLFiles.sampleFeeds.map { try FeedDocument(parsing: $0.bytes) }
            + [Self.targeted, Self.pinned].map { try FeedDocument(parsing: Array($0.utf8)) }
        let documents = all.enumerated().filter { $0.offset % Self.parts == part }.map(\.element)
        try await SampleSite.run { site in
            try await site.sql(
                #"""
                INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
                VALUES ('weekend', 'weekend', '{"control": [[50, 100]], "pairs": [[0, 50]]}', 'control');
                UPDATE vitrine.experiments SET state = 'running';
                UPDATE vitrine.holdouts SET share = 20;
                """#)
            let places = try await site.rows("SELECT storefront || ' ' || locale FROM vitrine.storefront_locales ORDER BY storefront, rank")
            let platforms = try await site.rows("SELECT key FROM vitrine.platforms ORDER BY key")
            #expect(places.count == 10 && platforms.count == 8)
            var comparison = Comparison(site: site, platforms: platforms.map(\.self) + [nil], random: SeededRandom(seed: seed))
            for document in documents {
                try await site.publish(document)
                for place in places.map({ $0.split(separator: " ").map(String.init) }) {
                    try await comparison.compare(document.key.text, in: place[0], place[1])
                }
                guard document.key.text == "pinned" else { continue }
                // The feed has each field that a page can have, so that no field is compared with nothing.
                let names: Set = ["alternates", "badges", "card", "cell", "layout", "seeAll", "show", "subtitle", "title", "tracking"]
                #expect(names.isSubset(of: comparison.names))
            }
            #expect(comparison.sections > 1_000, "seed \(seed)")
        }
    }

    /// Compares the pages of random clients.
    private struct Comparison {
        let site: SampleSite
        let platforms: [String?]
        var random: SeededRandom
        /// The number of sections that the clients see.
        private(set) var sections = 0
        /// The names of the fields of the compared sections and placements.
        private(set) var names: Set<String> = []
        private var clients = 0

        init(site: SampleSite, platforms: [String?], random: SeededRandom) {
            self.site = site
            self.platforms = platforms
            self.random = random
        }

        mutating func compare(_ feed: String, in storefront: String, _ locale: String) async throws {
            let copy = try await TwoWaysTests.copy(of: site, CopyScope(storefront: storefront, feeds: [feed], locale: locale))
            let copied = (feed: try #require(try copy.feed(feed)), contents: try ShownPage(copy: copy, of: feed))
            let locales = try #require(LocaleTag(locale)).fallbacks.map(\.text)
            for platform in platforms {
                let query = "locale=\(locale)\(platform.map { "&platform=\($0)" } ?? "")"
                let path = "/v1/\(storefront)/feeds/\(feed)"
                let line = "GET \(path)?\(query)"
                let shared = try Page(try await platform == nil ? site.send(line) : site.respond(line), on: platform)
                names.formUnion(shared.contents.names)
                // Many clients get the same personal page.
                var personal: [String: Page] = [:]
                var compared: Set<[String]> = []
                for _ in 0..<TwoWaysTests.clientsOfEachPage {
                    clients += 1
                    let header = TwoWaysTests.header(of: clients, on: platform, &random)
                    let details = "\(path)?\(query) for \(header)"
                    var facts = ClientFacts(try #require(StructuredDictionary(header)))
                    (facts.storefront, facts.locale) = (.said(storefront), .said(locales))
                    let resolved = resolve(shared.edition, facts)
                    let response = try await site.respond("GET \(path)?form=personal&\(query)", ["Vitrine-Client: \(header)"])
                    let content = response.text
                    let page = try personal[content] ?? Page(response, on: platform)
                    personal[content] = page
                    try #require(page.edition.sections.allSatisfy { $0.fill == nil && $0.target == nil }, "\(details)")
                    let third = copied.feed.page(for: facts)
                    let arms = TwoWaysTests.arms(of: page.edition)
                    try #require(TwoWaysTests.arms(of: resolved) == arms && third.arms == arms, "\(details)")
                    let first = TwoWaysTests.shelves(of: resolved)
                    let last = copied.contents.shelves(of: third)
                    sections += third.sections.count
                    guard compared.insert([content] + first.map(\.outline) + ["copy"] + last.map(\.outline)).inserted else { continue }
                    try check(shared.contents.lines(of: first), page.contents.lines(of: page.shelves), "the personal page \(details)")
                    try check(
                        shared.contents.copiedLines(of: first), copied.contents.copiedLines(of: last), "the copy of \(details)")
                }
            }
        }

        /// Requires that two pages are the same, and describes the first difference.
        private func check(_ lines: [String], _ others: [String], _ details: String) throws {
            guard lines != others else { return }
            let different = zip(lines, others).first { $0 != $1 }
            let (line, other) = different ?? ("\(lines.count) lines", "\(others.count) lines")
            Issue.record("\(details): \(other) instead of \(line)")
            throw CancellationError()
        }
    }

    fileprivate static func shelves(of edition: Edition) -> [ShownPage.Shelf] {
        edition.sections.map { ShownPage.Shelf(id: $0.id, placements: $0.placements) }
    }

    /// Returns the arm of the client in each experiment of its page.
    private static func arms(of edition: Edition) -> [String: String] {
        var arms: [String: String] = [:]
        for case (let key, .arm(let arm)) in edition.experiments { arms[key] = arm }
        return arms
    }

    private static func header(of number: Int, on platform: String?, _ random: inout SeededRandom) -> String {
        var members = [#"id="client-\#(number)""#]
        if let platform { members.append("platform=\(platform)") }
        if let version = ["2.9", "3.0", "4.1", nil].randomElement(using: &random) ?? nil { members.append(#"app="\#(version)""#) }
        if let os = ["16.4", "17.0", nil].randomElement(using: &random) ?? nil { members.append(#"os="\#(os)""#) }
        // A pin of the sample catalog is for subscribers.
        let lists = [#"("beta")"#, #"("vip" "beta")"#, #"("subscriber")"#, #"("subscriber" "beta")"#, nil]
        if let tags = lists.randomElement(using: &random) ?? nil { members.append("tags=\(tags)") }
        return members.joined(separator: ", ")
    }

    private static func copy(of site: SampleSite, _ scope: CopyScope) async throws -> LocalCopy {
        var engine = SyncEngine(LocalCopy { Digest.sha256($0) }, limit: 1_000, wait: 0)
        var random = SeededRandom(seed: 1)
        while !engine.isUpToDate {
            guard case .send(let request) = engine.next() else { continue }
            let response = try await site.respond("GET \(request.target(in: scope))")
            _ = try engine.handle(
                .response(status: response.status.rawValue, retryAfter: nil, body: Array(response.text.utf8)), after: nil, using: &random)
        }
        return engine.copy
    }
}

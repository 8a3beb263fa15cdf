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
    /// A section as a client sees it.
    private struct Section: Equatable, CustomStringConvertible {
        let id: String
        var placements: [String]

        var description: String { "\(id) \(placements)" }
    }

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
        let sections = [
            section(#""key": "hero", "size": 3"#, apps, pin(0, card("a"), 4), pin(1, shown, 0)),
            section(
                #""key": "top", "size": 4, "minItems": 3"#, #"{"all": [\#(apps), {"not": {"inSection": "hero"}}]}"#,
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

    @Test(
        "A resolved shared page, a resolved copy of sync and a personal page are the same for 200 random clients of each feed",
        arguments: ["us en", "de en", "sa ar"])
    func same(place: String) async throws {
        let seed = Seeds.fresh
        let (storefront, locale) = (String(place.prefix(2)), String(place.suffix(2)))
        let documents =
            try SQLFiles.sampleFeeds.map { try FeedDocument(parsing: $0.bytes) }
            + [Self.targeted, Self.pinned].map { try FeedDocument(parsing: Array($0.utf8)) }
        try await SampleSite.run { site in
            try await site.sql(
                #"""
                INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
                VALUES ('weekend', 'weekend', '{"control": [[50, 100]], "pairs": [[0, 50]]}', 'control');
                UPDATE vitrine.experiments SET state = 'running';
                UPDATE vitrine.holdouts SET share = 20;
                """#)
            var random = SeededRandom(seed: seed)
            var sections = 0
            for document in documents {
                try await site.publish(document)
                sections += try await Self.compare(site, document.key.text, storefront, locale, &random)
            }
            #expect(sections > 1_000, "seed \(seed)")
        }
    }

    /// Compares the page of a feed for random clients. Returns the number of sections that they see.
    private static func compare(
        _ site: SampleSite, _ feed: String, _ storefront: String, _ locale: String, _ random: inout SeededRandom
    ) async throws -> Int {
        let copy = try await copy(of: site, CopyScope(storefront: storefront, feeds: [feed], locale: locale))
        let copied = try #require(try copy.feed(feed))
        let locales = try #require(LocaleTag(locale)).fallbacks.map(\.text)
        var shared: [String: Edition] = [:]
        // Many clients get the same personal page.
        var personal: [String: [Section]] = [:]
        var count = 0
        for number in 0..<200 {
            let platform = ["ios", "ipados", "android", nil].randomElement(using: &random) ?? nil
            let query = "locale=\(locale)\(platform.map { "&platform=\($0)" } ?? "")"
            let path = "/v1/\(storefront)/feeds/\(feed)"
            let header = header(of: number, on: platform, &random)
            var facts = ClientFacts(try #require(StructuredDictionary(header)))
            (facts.storefront, facts.locale) = (.said(storefront), .said(locales))
            if shared[query] == nil { shared[query] = try edition(in: try await site.send("GET \(path)?\(query)")) }
            let edition = try #require(shared[query])
            let first = merged(resolve(edition, facts).sections.map { ($0.id, $0.placements.map(\.id)) })
            let response = try await site.send("GET \(path)?form=personal&\(query)", ["Vitrine-Client: \(header)"])
            let content = response.text
            if personal[content] == nil {
                personal[content] = merged(try self.edition(in: response).sections.map { ($0.id, $0.placements.map(\.id)) })
            }
            let second = try #require(personal[content])
            let third = merged(copied.page(for: facts).sections.map { ($0.id, $0.placements.map(\.id)) })
            try #require(first == second && first == third, "\(path)?\(query) for \(header): \(first), \(second), \(third)")
            count += first.count
        }
        return count
    }

    private static func edition(in response: Response) throws -> Edition {
        try JSONDocument(parsing: Array(response.text.utf8), limits: .page).decodeLeniently(Edition.self).value
    }

    /// Returns the sections, with the headings of a grouped one together.
    private static func merged(_ sections: [(id: String, placements: [String])]) -> [Section] {
        var result: [Section] = []
        for (id, placements) in sections {
            let whole = id.split(separator: "/").prefix(2).joined(separator: "/")
            if result.last?.id == whole {
                result[result.count - 1].placements += placements
            } else {
                result.append(Section(id: whole, placements: placements))
            }
        }
        return result
    }

    private static func header(of number: Int, on platform: String?, _ random: inout SeededRandom) -> String {
        var members = [#"id="client-\#(number)""#]
        if let platform { members.append("platform=\(platform)") }
        if let version = ["2.9", "3.0", "4.1", nil].randomElement(using: &random) ?? nil { members.append(#"app="\#(version)""#) }
        if let os = ["16.4", "17.0", nil].randomElement(using: &random) ?? nil { members.append(#"os="\#(os)""#) }
        if let tags = [#"("beta")"#, #"("vip" "beta")"#, nil].randomElement(using: &random) ?? nil { members.append("tags=\(tags)") }
        return members.joined(separator: ", ")
    }

    private static func copy(of site: SampleSite, _ scope: CopyScope) async throws -> LocalCopy {
        var engine = SyncEngine(LocalCopy { Digest.sha256($0) }, limit: 100, wait: 0)
        var random = SeededRandom(seed: 1)
        while !engine.isUpToDate {
            guard case .send(let request) = engine.next() else { continue }
            let response = try await site.send("GET \(request.target(in: scope))")
            _ = try engine.handle(
                .response(status: response.status.rawValue, retryAfter: nil, body: Array(response.text.utf8)), after: nil, using: &random)
        }
        return engine.copy
    }
}

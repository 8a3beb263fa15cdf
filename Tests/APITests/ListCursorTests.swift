import Catalog
import Feeds
import HTTPMessages
import JSON
import Security
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The answers to cursors of a list", .databaseForEachTest)
struct ListCursorTests {
    @Test("Over publications, takeovers and changes of items, each cursor has exactly the answer of its reason", arguments: Seeds.fixed(1))
    func outcomes(seed: UInt64) async throws {
        try await PageSite.run([]) { site in
            var history = try CursorHistory(site: site, seed: seed)
            try await history.run()
            let expected: Set = [
                "200", "400 invalidCursor", "400 cursorMismatch", "404 unknownFeed", "404 unknownSection", "410 keyRetired",
                "410 listChanged", "410 sectionGone",
            ]
            #expect(!Seeds.isFixed(seed, of: 1) || Set(history.outcomes.keys) == expected, "seed \(seed)")
        }
    }
}

/// Random publications of a feed, with the answers that requests with several cursors must have after each of them.
private struct CursorHistory {
    private struct Order: Equatable {
        var rule = 0
        var sort = 0
    }

    private struct Content {
        var order = Order()
        /// Whether the section is missing.
        var isHidden = false
        /// The members that do not belong to the list.
        var others = 0

        var text: String {
            let look = #""layout": {"list": {}}, "cell": "row", "size": \#(others % 5 + 2), "eligibility": "none""#
            let list = #""seeAll": {"title": {"en": "All \#(others)"}}"#
            let fixed = #"{"key": "others", \#(look), "rule": {"kind": "topApp"}, "sort": "-rating", \#(list)}"#
            let members = #""rule": \#(CursorHistory.rules[order.rule]), "sort": \#(CursorHistory.sorts[order.sort])"#
            let section = #", {"key": "apps", \#(look), \#(members), \#(list)}"#
            return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(fixed)\#(isHidden ? "" : section)]}"#
        }
    }

    private enum Step: CaseIterable {
        case look, order, visibility, items, sameList, otherList, noSection
    }

    private struct Issued {
        let cursor: String
        let order: Order
        let changes: Int
    }

    private static let rules = [#"{"kind": "topApp"}"#, #"{"all": [{"kind": "topApp"}, {"not": {"price": "paid"}}]}"#]
    private static let sorts = [#""-rating""#, #""title""#]
    private static let path = "/v1/us/feeds/today/sections/apps/items"

    private let site: PageSite
    private let details: String
    private var random: SeededRandom
    /// The signer of a key that was replaced.
    private let retired: CursorSigner
    private var base = Content()
    private var takeover: Content?
    private var content: Content { takeover ?? base }
    private var shown: Content?
    /// The number of times that the order changed or that the section came back.
    private var changes = 0
    private var isLive = true
    private var issued: [Issued] = []
    /// The number of times that each status and code was the answer.
    private(set) var outcomes: [String: Int] = [:]

    init(site: PageSite, seed: UInt64) throws {
        self.site = site
        details = "seed \(seed)"
        random = SeededRandom(seed: seed)
        let key = try #require(HMACKey(Array(repeating: 7, count: 32)))
        retired = CursorSigner(code: { key.code(of: $0) }, areEqual: { HMACKey.areEqual($0, $1) })
    }

    mutating func run() async throws {
        try await publish(base, isTakeover: false)
        shown = base
        for _ in 0..<4 {
            for step in Step.allCases.shuffled(using: &random) {
                try await take(step)
                if !content.isHidden, let shown, shown.isHidden || shown.order != content.order { changes += 1 }
                shown = content
                try await check()
            }
        }
        try await end()
    }

    /// Ends the feed, so that a client restarts with the list of the feeds.
    private mutating func end() async throws {
        for layer in takeover == nil ? ["base"] : ["takeover", "base"] {
            try await site.sql("SELECT vitrine.cancel_publication(max(id)) FROM vitrine.publications WHERE layer = '\(layer)'")
        }
        isLive = false
        try await expect("404 unknownFeed", "locale=en")
        for one in issued { try await expect("410 sectionGone", "locale=en", cursor: one.cursor) }
    }

    // MARK: Publications

    private mutating func take(_ step: Step) async throws {
        switch step {
        case .look:
            base.others += 1
            try await publish(base, isTakeover: false)
        case .order:
            base.order = otherOrder()
            try await publish(base, isTakeover: false)
        case .visibility:
            base.isHidden.toggle()
            try await publish(base, isTakeover: false)
        case .items:
            let (number, rating) = (Int.random(in: 1...30, using: &random), Int.random(in: 20...50, using: &random))
            try await site.sql("UPDATE vitrine.items SET rating_average = \(rating) / 10.0 WHERE slug = 'app-\(number)'")
        case .sameList, .otherList, .noSection:
            guard takeover == nil else {
                // The base shows again, with its edits of that time.
                takeover = nil
                try await site.sql(
                    "SELECT vitrine.cancel_publication(max(id)) FROM vitrine.publications WHERE layer = 'takeover'")
                return
            }
            var content = base
            content.others += 7
            content.isHidden = step == .noSection
            if step == .otherList { content.order = otherOrder() }
            takeover = content
            try await publish(content, isTakeover: true)
        }
    }

    /// Returns another order than that of the base.
    private mutating func otherOrder() -> Order {
        let all = Self.rules.indices.flatMap { rule in Self.sorts.indices.map { Order(rule: rule, sort: $0) } }
        return all.filter { $0 != base.order }.randomElement(using: &random) ?? base.order
    }

    private func publish(_ content: Content, isTakeover: Bool) async throws {
        guard isTakeover else { return try await site.publish(content.text) }
        let text = String(decoding: try FeedDocument(parsing: Array(content.text.utf8)).canonical(), as: UTF8.self)
        try await site.sql(
            "SELECT vitrine.publish('today', 'takeover', vitrine.save_revision('today', 'night', $feed$\(text)$feed$))")
    }

    // MARK: Requests

    private mutating func check() async throws {
        let query = "locale=en&limit=5"
        let first = try await expect(content.isHidden ? "404 unknownSection" : "200", query)
        let other = try await site.json("GET /v1/us/feeds/today/sections/others/items?\(query)")
        let foreign = try #require(Self.cursor(in: other.root))
        for one in issued {
            let isSame = one.order == content.order && one.changes == changes
            let outcome = content.isHidden ? "410 sectionGone" : isSame ? "200" : "410 listChanged"
            try await expect(outcome, query, cursor: one.cursor)
            // The reasons for which a cursor is not read come first.
            let middle = one.cursor.index(one.cursor.startIndex, offsetBy: one.cursor.count / 2)
            let replaced = one.cursor[middle] == "A" ? "B" : "A"
            let damaged = one.cursor.replacingCharacters(at: middle, with: replaced)
            try await expect("400 invalidCursor", query, cursor: damaged)
            try await expect("400 invalidCursor", query, cursor: String(one.cursor[..<middle]))
            try await expect("400 cursorMismatch", "\(query)&platform=ios", cursor: one.cursor)
            // The list has its own order in each locale if it is sorted by title.
            if one.order.sort == 1 {
                try await expect("400 cursorMismatch", query.replacing("locale=en", with: "locale=es"), cursor: one.cursor)
            }
        }
        try await expect("400 cursorMismatch", query, cursor: foreign)
        try await expect("410 keyRetired", query, cursor: retired.cursor(at: ["t", "a"], in: "list"))
        guard let cursor = first.flatMap({ Self.cursor(in: $0.root) }) else { return }
        if issued.count == 3 { issued.remove(at: Int.random(in: 0..<3, using: &random)) }
        issued.append(Issued(cursor: cursor, order: content.order, changes: changes))
    }

    /// Returns the cursor of the next part of a list.
    private static func cursor(in root: JSONNode) -> String? {
        root["section"]?["next"]?.string?.split(separator: "cursor=").dropFirst().first?.split(separator: "&").first.map(String.init)
    }

    /// Requests a part of the list, and compares the status, the code and the path with which the client restarts.
    @discardableResult
    private mutating func expect(_ outcome: String, _ query: String, cursor: String? = nil) async throws -> JSONDocument? {
        let path = "\(Self.path)?\(query)\(cursor.map { "&cursor=\($0)" } ?? "")"
        let response = try await site.send("GET \(path)")
        let document = try JSONDocument(parsing: Array(response.text.utf8), limits: .ownOutput)
        let code = document.root["code"]?.string
        let found = ([String(response.status.rawValue)] + (code.map { [$0] } ?? [])).joined(separator: " ")
        try #require(found == outcome, "\(details): \(path) has \(found) instead of \(outcome)")
        outcomes[outcome, default: 0] += 1
        let restart = document.root["restart"]?.string
        switch code {
        case "listChanged", "keyRetired":
            // The same list from its beginning.
            let again = try await site.send("GET \(try #require(restart))")
            try #require(restart?.hasPrefix("\(Self.path)?") == true && restart?.contains("cursor=") == false, "\(details): \(path)")
            try #require(again.status == (content.isHidden ? .notFound : .ok), "\(details): \(path)")
        case "sectionGone":
            try #require(restart == (isLive ? "/v1/us/feeds/today?locale=en" : "/v1/us/feeds?locale=en"), "\(details): \(path)")
        default: try #require(restart == nil, "\(details): \(path)")
        }
        return code == nil ? document : nil
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with text: String) -> String {
        self[..<index] + text + self[self.index(after: index)...]
    }
}

import Feeds
import Items
import JSON
import Layout
import Security
import Testing
import Values

@Suite("A rendered page")
struct PageRendererTests {
    private let english: LocaleTag
    private let storefront: Storefront

    init() throws {
        english = try #require(LocaleTag("en"))
        storefront = Storefront(key: "us", currency: "USD", timeZone: "America/New_York", locales: [english], defaultLocale: english)
    }

    /// Renders the page of a feed with one section `all`, whose list is in the order of the titles.
    private func section(_ members: String, titles: [String], initials: [String] = []) throws -> [JSONNode] {
        let page = try renderer(members, titles: titles, initials: initials, in: english).renderer.page()
        let root = try JSONDocument(parsing: page, limits: .ownOutput).root
        #expect(root["kind"]?.string == "page")
        return root["sections"]?.elements.map(\.self) ?? []
    }

    private func renderer(
        _ members: String, titles: [String], initials: [String], in locale: LocaleTag
    ) throws -> (renderer: PageRenderer, section: FeedSnapshot.Section) {
        let text = """
            {"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [
              {"key": "all", "title": {"en": "All"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, \(members)}]}
            """
        let document = try FeedDocument(parsing: Array(text.utf8))
        var (items, composed) = ([UUID: Item](), ComposedItems())
        for (index, title) in titles.enumerated() {
            let id = UUID(high: 0, low: UInt64(index))
            let json = """
                {"kind": "topApp", "id": "\(id)", "serialNumber": \(index), "slug": "a\(index)", "title": {"en": "\(title)"}, \
                "categories": ["games"], "bundleId": "a.b", "developer": "D", "appVersion": "1", "sizeBytes": 9, "platforms": ["ios"], \
                "ageRating": "4+", "releaseDate": "2026-01-01"}
                """
            items[id] = try Item(version: 1, document: Array(json.utf8))
            composed.placements[id] = .init(
                serialNumber: index, initials: initials.isEmpty ? [:] : [locale: initials[index]])
            composed.orders[initials.isEmpty ? nil : locale, default: []].append(id)
        }
        let entries = FeedComposer(document, revision: 1, hashedBy: Digest.sha256).entries(
            Dictionary(uniqueKeysWithValues: document.sections[0].parts.map { ($0.part, $0.selection.cut(composed)) }))
        var layouts = LayoutTable()
        for entry in entries where entry.key.kind == .layout {
            let id = try #require(LayoutID(entry.key.id))
            layouts.merge(LayoutTable([id: try JSONDocument(parsing: entry.document).decode(PublishedLayout.self)]))
        }
        let parts = entries.map { FeedSnapshot.Part(kind: $0.key.kind, id: $0.key.id, version: 1, document: $0.document, validUntil: nil) }
        let snapshot = try #require(try FeedSnapshot("us", parts: parts, items: items, newest: 1))
        let context = PageContext(storefront, LocaleFallback(locale, in: storefront))
        let renderer = PageRenderer(snapshot, ServedLayouts(layouts), context) { section, key in
            "\(section.published.id)?after=\(key?.text ?? "")"
        }
        return (renderer, try #require(snapshot.sections.first))
    }

    @Test(
        "Each path of an index opens its letter, and all parts together are the list", arguments: [("ar", 28), ("de", 26), ("ja", 10)])
    func letters(language: String, count: Int) throws {
        let locale = try #require(LocaleTag(language))
        let letters = IndexAlphabet(locale).letters
        #expect(letters.count == count)
        let initials = (0..<1_000).map { letters[$0 * letters.count / 1_000] }
        for members in [
            #""group": "initial", "size": 30"#, #""size": 30, "seeAll": {"title": {"en": "All"}, "group": "initial", "size": 1000}"#,
        ] {
            let (renderer, section) = try renderer(#""sort": "title", \#(members)"#, titles: titles(1_000), initials: initials, in: locale)
            let page = try JSONDocument(parsing: renderer.page(), limits: .ownOutput).root
            #expect(page["sections"]?.elements.reduce(0) { $0 + ($1["items"]?.count ?? 0) } == 30)
            func part(_ link: String?) throws -> JSONNode {
                let key = link.flatMap { OrderKey(String($0.split(separator: "=").last ?? "")) }
                return try #require(
                    try JSONDocument(parsing: renderer.list(of: section, after: key, limit: 100).document, limits: .ownOutput).root[
                        "section"])
            }
            let whole = try part(nil)
            let index = try #require(whole["index"])
            #expect(index.elements.compactMap { $0["initial"]?.string } == letters)
            #expect(index.elements.reduce(0) { $0 + ($1["items"]?.integer ?? 0) } == 1_000)
            for heading in index.elements {
                let first = try part(heading["href"]?.string)["items"]?.elements.map(\.self).first
                #expect(first?["initial"]?.string == heading["initial"]?.string)
            }
            var (all, next) = (whole["items"]?.elements.compactMap { $0["placement"]?.string } ?? [], whole["next"]?.string)
            while let link = next {
                let part = try part(link)
                all += part["items"]?.elements.compactMap { $0["placement"]?.string } ?? []
                next = part["next"]?.string
            }
            #expect(all == (0..<1_000).map { "f/all/\(String($0, radix: 36))" })
        }
    }

    private func titles(_ count: Int) -> [String] { (0..<count).map { "App \($0)" } }

    @Test("A section shows as many items as its size")
    func size() throws {
        #expect(try section(#""size": 3"#, titles: titles(9)).map { $0["items"]?.count } == [3])
        #expect(try section(#""size": 30"#, titles: titles(29)).map { $0["items"]?.count } == [29])
        #expect(try section(#""minItems": 0"#, titles: titles(29)).map { $0["items"]?.count } == [20])
    }

    @Test("Only a section that continues has the path of more items, and only if there are more")
    func continues() throws {
        #expect(try section(#""size": 3"#, titles: titles(9))[0]["next"] == nil)
        #expect(try section(#""size": 3, "continues": true"#, titles: titles(3))[0]["next"] == nil)
        let next = try section(#""size": 3, "continues": true"#, titles: titles(9))[0]["next"]?.string
        #expect(next?.hasPrefix("f/all?after=") == true && next != "f/all?after=")
    }

    @Test("The list has its own layouts and cells, and a path from its beginning")
    func seeAll() throws {
        let members = #"""
            "seeAll": {"title": {"en": "All"}, "layout": {"grid": {}}, "alternates": {"grid": "active", "rows": {"layout": {"list": {}}, "cell": "r"}}, "cell": "card"}
            """#
        let section = try section(members, titles: titles(3))[0]
        let seeAll = try #require(section["seeAll"])
        #expect(seeAll["href"]?.string == "f/all?after=" && seeAll["cell"]?.string == "card" && seeAll["active"]?.string == "grid")
        #expect(seeAll["alternates"]?["rows"]?["cell"]?.string == "r" && seeAll["layout"]?.string != section["layout"]?.string)
    }

    @Test("A grouped section has an index of all its initials, whose paths begin where each initial does")
    func grouped() throws {
        let initials = ["A", "A", "B", "C", "C", "C"]
        let parts = try section(#""size": 3, "group": "initial", "sort": "title""#, titles: titles(6), initials: initials)
        #expect(parts.map { $0["id"]?.string } == ["f/all/A", "f/all/B"] && parts.map { $0["items"]?.count } == [2, 1])
        let index = parts[0]["group"]?["index"]?.elements.map(\.self) ?? []
        #expect(index.map { $0["initial"]?.string } == ["A", "B", "C"] && index.map { $0["items"]?.integer } == [2, 1, 3])
        let paths = index.compactMap { $0["href"]?.string }
        #expect(paths[0] == "f/all?after=" && Set(paths).count == 3)
        // The page ends with the only item of B, so its next part begins where C does.
        #expect(parts[0]["next"] == nil && parts[1]["next"]?.string == paths[2])
        #expect(parts[1]["group"]?["index"] == nil && parts[1]["group"]?["id"]?.string == "f/all")
    }

    @Test("A pinned item does not move the beginning of its heading in the index")
    func pinnedInGroup() throws {
        let initials = ["C", "A", "A", "B", "C", "C"]
        let parts = try section(#""size": 4, "group": "initial", "sort": "title""#, titles: titles(6), initials: initials)
        #expect(parts.map { $0["id"]?.string } == ["f/all/C", "f/all/A", "f/all/B"])
        let index = parts[0]["group"]?["index"]?.elements.map(\.self) ?? []
        #expect(index.map { $0["initial"]?.string } == ["A", "B", "C"] && index.map { $0["items"]?.integer } == [2, 1, 3])
        // The page ends with B, so the next part begins where the run of C does.
        #expect(parts[2]["next"]?.string == index[2]["href"]?.string && parts[2]["next"] != nil)
    }
}

extension ItemSelection {
    /// Returns the first items, up to the size.
    fileprivate func cut(_ composed: ComposedItems) -> ComposedItems {
        var result = composed
        result.orders = composed.orders.mapValues { Array($0.prefix(size)) }
        result.placements = composed.placements.filter { item, _ in result.orders.values.contains { $0.contains(item) } }
        return result
    }
}

import HTTP
import JSON
import Resolve

/// The section of a page as one client sees it: what is compared with other pages.
struct Shelf: Equatable, Sendable {
    let section: String
    let layout: ChosenLayout?
    /// The layout of the list that "See All" opens, or nil if the section has no button for it.
    let list: ChosenLayout?
    let placements: [String]
    /// Whether each placement is a pin. A page that a client does not fill does not say it.
    let isPinned: [Bool]
    /// The items in their order, without cards.
    let items: [String]

    static func == (a: Shelf, b: Shelf) -> Bool {
        (a.section, a.layout, a.list, a.placements, a.items) == (b.section, b.layout, b.list, b.placements, b.items)
    }
}

/// A shared page as the app of a client has decoded it.
final class SharedPage: Sendable {
    let storefront: String
    let locale: String
    let feed: String
    let version: Int?
    /// The titles of the items by their IDs.
    let titles: [String: String]
    private let layouts: [String: LayoutOptions]
    /// The layouts of the lists, by section.
    private let lists: [String: LayoutOptions]
    private let edition: Edition

    init(_ body: [UInt8]) throws {
        let document = try JSONDocument(parsing: body, limits: .ownOutput)
        let (edition, dropped) = try document.decodeLeniently(Edition.self)
        guard dropped.isEmpty else { throw BenchmarkFailure(reason: "a page with unreadable parts: \(dropped)") }
        self.edition = edition
        storefront = document.root["storefront"]?.string ?? ""
        locale = document.root["locale"]?.string ?? ""
        feed = document.root["feed"]?.string ?? ""
        version = document.root["version"]?.integer
        titles = (document.root["items"]?.members).map { $0.reduce(into: [:]) { $0[$1.key] = $1.value["title"]?.string } } ?? [:]
        let sections = document.root["sections"]?.elements.map { (id: $0["id"]?.string ?? "", node: $0) } ?? []
        layouts = sections.reduce(into: [:]) { $0[$1.id] = $1.node.decodeLeniently(LayoutOptions.self) }
        lists = sections.reduce(into: [:]) { $0[$1.id] = $1.node["seeAll"]?.decodeLeniently(LayoutOptions.self) }
    }

    /// Returns what the client shows.
    func shelves(for client: TrialClient) -> [Shelf] {
        resolve(edition, client.facts).sections.map { section in
            let layouts = self.layouts[section.id]
            return Shelf(
                section: section.id, layout: layouts?.choice(on: client.display),
                list: lists[section.id]?.choice(on: client.display, listOf: layouts), placements: section.placements.map(\.id),
                isPinned: section.placements.map { $0.pin != nil }, items: section.placements.compactMap(\.item))
        }
    }
}

extension TrialClient {
    /// The client, as its app states it to `resolve`.
    fileprivate var facts: ClientFacts {
        var facts = ClientFacts()
        facts.storefront = .said(storefront)
        facts.locale = .said([locale])
        facts.platform = Fact(platform)
        facts.appVersion = Fact(app.flatMap { Version($0) })
        facts.os = Fact(os.flatMap { Version($0) })
        facts.tags = Fact(tags.map { Set($0) })
        facts.client = Fact(id)
        return facts
    }
}

import Feeds
import Items
import Resolve
import Values

/// The pages of a feed in a storefront as many clients see them: the different pages, and the number of its page for each client.
struct ClientPages: Equatable {
    private var pages: [[String: [String]]] = []
    private var numbers: [Int] = []

    /// Resolves a snapshot for each client, as a device does with the shared page.
    init(_ snapshot: FeedSnapshot, in storefront: String, _ locale: LocaleTag, for clients: [ClientFacts]) {
        var slugs: [String: String] = [:]
        for (id, item) in snapshot.items { slugs[id.description] = item.slug }
        var editions: [String?: Edition] = [:]
        var resolved: [Edition] = []
        for client in clients {
            var facts = client
            (facts.storefront, facts.locale) = (.said(storefront), .said(locale.fallbacks.map(\.text)))
            var platform: String?
            if case .said(let stated) = facts.platform { platform = stated }
            let edition = editions[platform] ?? snapshot.edition(in: locale, on: platform)
            editions[platform] = edition
            let page = resolve(edition, facts)
            if let number = resolved.firstIndex(where: { $0.sections == page.sections }) {
                numbers.append(number)
                continue
            }
            numbers.append(resolved.count)
            resolved.append(page)
            var items: [String: [String]] = [:]
            for section in page.sections {
                items[section.id] = section.placements.map { placement in
                    // A card has its key after `~`.
                    guard let item = placement.item else { return placement.id.split(separator: "/").last.map(String.init) ?? "?" }
                    return slugs[item] ?? "?"
                }
            }
            pages.append(items)
        }
    }

    /// Returns the slugs and cards of each section that a client sees, by its position.
    subscript(client: Int) -> [String: [String]] { pages[numbers[client]] }
}

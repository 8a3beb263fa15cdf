internal import Catalog
internal import Commands
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import SQLFiles
internal import Time

/// `vitrine item search`: what the customers of a storefront find.
struct ItemSearch {
    let console: Console

    private static let words = Operand(variadic: "WORD", atLeast: 1, .text, "What somebody types.")
    private static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: LiveKeys.storefronts), "Whose customers; without it those of the first one.")
    private static let locale = Option(
        "locale", .text.named("LOCALE").completed(by: LiveKeys.locales), "One of the storefront's; without it its default.")
    private static let kind = Option("kind", .choice(of: ItemKind.self).named("KIND"), "Only items of this kind.")
    private static let limit = Option("limit", .integer(in: 1...1_000), default: 20, "How many at most.")

    var command: Command {
        Command(
            "search", "Finds items as the customers of a storefront do.",
            discussion: """
                The search is that of the API: of what is in the storefront now, by the beginnings of words, and by those that were \
                probably meant where nothing is found. The best come first, as they are in the catalog, published or not; version 0 is one that is \
                not published yet.
                """,
            examples: [
                Example("vitrine item search harbor no", "Finds Harbor Notes."),
                Example(
                    "vitrine item search --storefront de --locale de --kind foodApp safran -o jsonl", "Finds it as a German customer does."),
            ],
            operands: [Self.words],
            options: [Self.storefront, Self.locale, Self.kind, Self.limit, ListFormat.option], groups: [ItemSession.flags]
        ) { invocation in
            var filter = ItemFilter()
            filter.kind = invocation[Self.kind]
            let words = invocation[Self.words].joined(separator: " ")
            let (key, locale, limit) = (invocation[Self.storefront], invocation[Self.locale], invocation[Self.limit])
            let found = try ItemSession(console: console, isReadOnly: true).connect(invocation) { [filter] connection in
                try await Self.search(words, filter, key, locale, limit, connection)
            }
            let format = invocation[ListFormat.option]
            if let corrected = found.corrected { console.say("Searched for: \(corrected)\n") }
            try StandardStream.output.write(Self.page(found.items).text(as: format, width: StandardStream.output.width))
            return .ok
        }
    }

    private struct Answer: Sendable {
        var items: [FoundItem] = []
        var corrected: String?
    }

    private static func search(
        _ words: String, _ filter: ItemFilter, _ key: String?, _ locale: String?, _ limit: Int, _ connection: PostgresConnection
    ) async throws -> Answer {
        let queries = try CatalogQueries(QueryLibrary(SQLFiles.queries))
        var reader = CatalogReader(queries, at: Timestamp(clamping: Machine.wallClock)) { queries throws(PostgresError) in
            try await connection.run(queries, until: .never)
        }
        reader.readsUnpublished = true
        let all = try await reader.storefronts()
        guard let storefront = key.map({ key in all.first { $0.key.utf8.elementsEqual(key.utf8) } }) ?? all.first else {
            throw DatabaseFailure(
                message: key == nil ? "there is no storefront" : "there is no such storefront",
                advice: all.isEmpty ? "Import one." : "Those are: \(all.map(\.key).joined(separator: ", ")).", exitCode: .notFound)
        }
        let shown =
            locale == nil ? storefront.defaultLocale : storefront.locales.first { $0.text.utf8.elementsEqual(locale?.utf8 ?? "".utf8) }
        guard let shown else {
            throw DatabaseFailure(
                message: "the storefront \(storefront.key) is not shown in this locale",
                advice: "It is in: \(storefront.locales.map(\.text).joined(separator: ", ")).", exitCode: .notFound)
        }
        let locales = ShownLocales(shown, in: storefront)
        var answer = Answer()
        var place: [String]?
        repeat {
            let page = try await reader.search(words, filter, in: storefront, after: place, limit: min(100, limit - answer.items.count))
            answer.items += page.items.map {
                FoundItem(rendered: RenderedItem($0, in: storefront, locales), title: locales.pick($0.texts)?.title ?? "")
            }
            answer.corrected = answer.corrected ?? page.correctedSearch
            place = page.next
        } while place != nil && answer.items.count < limit
        return answer
    }

    private static func page(_ items: [FoundItem]) -> ListPage<FoundItem> {
        ListPage(
            elements: items,
            columns: [
                .init(title: "ITEM") { $0.name },
                .init(title: "ID", isWide: true) { $0.item.id.description },
                .init(title: "SERIAL", isWide: true) { "\($0.item.serialNumber)" },
                .init(title: "RATING") { $0.item.rating.map { "\($0.average)" } ?? "" },
                .init(title: "RATINGS", isWide: true) { $0.item.rating.map { "\($0.count)" } ?? "" },
                .init(title: "TITLE") { $0.title },
            ]
        ) { $0.name }
    }
}

/// As the API shows it.
private struct FoundItem: JSONEncodable, Sendable {
    let rendered: RenderedItem
    let title: String

    var item: Item { rendered.item }

    func encode(to json: inout JSONWriter) { rendered.encode(to: &json) }

    /// What other commands know it by.
    var name: String { "\(item.kind.rawValue.lowercased()):\(item.slug)" }
}

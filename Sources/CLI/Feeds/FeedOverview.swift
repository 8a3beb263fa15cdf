internal import Feeds
internal import JSON
internal import Values

/// The live, scheduled and draft revisions of a feed, in a few lines above its sections.
struct FeedOverview {
    let feed: FeedState
    /// The overview for programs, with the draft's document in editable form.
    var document: JSONValue
    let locale: String?

    init(_ document: JSONNode, locale: String?) throws {
        feed = try RemoteValue<FeedState>(document).content
        self.document = JSONValue(document)
        self.locale = locale
    }

    var sections: [SectionRow] {
        FeedDraft(document["draft"]?["document"] ?? .null).sections.map { SectionRow(value: $0, locale: locale) }
    }

    /// Returns the lines above the sections, wrapped between words at the given width.
    func heading(width room: Int?) -> String {
        let title = document["draft"]?["document"]?["title"].map { "  \(SectionRow.text($0, in: locale))" } ?? ""
        let lines = [("archived", feed.summary.archivedAt?.toTheSecond)] + [("live", live)] + coming + drafts
        let width = lines.map(\.0.count).max() ?? 0
        return "\(feed.summary.key.printable())\(title)\n"
            + lines.compactMap { label, text in
                text.map { text in
                    let parts = room.map { text.broken(into: max(16, $0 - width - 4)) } ?? [text]
                    return parts.enumerated().map { index, part in
                        let label = index == 0 ? label : ""
                        return "  \(label)\(String(repeating: " ", count: width - label.count))  \(part)\n"
                    }.joined()
                }
            }.joined()
    }

    private var live: String? {
        let live = feed.summary.live
        guard !live.isEmpty else { return "no revision" }
        return live.map { group in
            let end = group.until.map { ", until \($0.toTheSecond)" } ?? ""
            let places = live.count == 1 ? "" : " in \(group.storefronts.joined(separator: ", "))"
            return "revision \(group.revision), \(group.layer.rawValue)\(end)\(places)"
        }.joined(separator: "; ")
    }

    /// The publications that are live nowhere. One on the base that has started is hidden by a takeover or the archive.
    private var coming: [(String, String?)] {
        feed.publications.filter { publication in
            !feed.summary.live.contains { live in
                live.revision == publication.revision && live.layer == publication.layer
                    && publication.spans.contains { live.storefronts.contains($0.storefront) }
            }
        }.map { publication in
            let end = publication.until.map { " until \($0.brief)" } ?? ""
            let places = publication.storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
            let text = "revision \(publication.revision), \(publication.layer.rawValue)\(places)"
            let isHidden = feed.bases.contains { base in
                publication.layer == .base && base.revision == publication.revision
                    && publication.spans.contains { base.storefronts.contains($0.storefront) }
            }
            return (isHidden ? "hidden" : "scheduled", "\(text), from \(publication.from.brief)\(end)")
        }
    }

    private var drafts: [(String, String?)] {
        feed.lines.map { revision in
            let isLive = feed.summary.live.contains { $0.revision == revision.number }
            let text = "revision \(revision.number) of line \(revision.line.printable()), saved \(revision.savedAt.toTheSecond)"
            return ("draft", "\(text)\(isLive ? ", live" : "")")
        }
    }
}

/// A section of a draft as a row of a list, or as its document for programs.
struct SectionRow: Sendable, JSONEncodable {
    let value: JSONValue
    /// The language of the titles, if they have it.
    let locale: String?

    func encode(to json: inout JSONWriter) { value.encode(to: &json) }

    var key: String { value["key"]?.text ?? "" }

    static let columns: [ListPage<SectionRow>.Column] = [
        .init(title: "SECTION") { $0.key }, .init(title: "TITLE", whole: { $0.title() }) { $0.title(limit: SectionRow.shortTitle) },
        .init(title: "LAYOUT") { $0.layout }, .init(title: "CELL", isWide: true) { $0.cell },
        .init(title: "SIZE") { "\($0.value["size"]?.number ?? FeedSection.standardSize)" },
        .init(title: "PINS") { "\(FeedDraft.pins(of: $0.value).count)" },
        .init(title: "TARGET", isWide: true) { $0.value["target"]?.words ?? "all clients" },
        .init(title: "DURING", isWide: true) { $0.value["during"]?.words ?? "always" },
        .init(title: "SORT", isWide: true) { $0.value["sort"]?.words ?? "-rating" },
        .init(title: "RULE") { $0.value["rule"].map(Rule.summary) ?? "" },
    ]

    /// The number of characters of a title in a table.
    static let shortTitle = 60

    private func title(limit: Int = .max) -> String { value["title"].map { Self.text($0, in: locale, limit: limit) } ?? "" }

    /// Returns the text in a language, or else in English, or else the first one.
    static func text(_ texts: JSONValue, in locale: String?, limit: Int = SectionRow.shortTitle) -> String {
        let text = locale.flatMap { texts[$0] } ?? texts["en"] ?? texts.members.first?.value
        return text?.text?.printable(limit: limit) ?? ""
    }

    /// The preset or the short form, with a mark if there are variants or alternates.
    private var layout: String {
        guard let form = value["layout"] else { return "" }
        let name = form["preset"]?.text ?? form["nestedGroup"]?.text ?? form.members.first?.key ?? ""
        return name + (value["variants"] == nil && value["alternates"] == nil ? "" : " …")
    }

    private var cell: String {
        value["cell"]?.text ?? value["cells"]?.members.map { "\($0.key)=\($0.value.text ?? "")" }.joined(separator: ",") ?? ""
    }
}

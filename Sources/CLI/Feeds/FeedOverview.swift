internal import Feeds
internal import JSON
internal import Values

/// What is shown of a feed, what will be and what is being prepared, as a few lines above its sections.
struct FeedOverview {
    let feed: FeedState
    /// All of it for programs, with the draft's document as a draft is edited.
    var document: JSONValue
    let locale: String?

    init(_ document: JSONNode, locale: String?) throws {
        feed = try RemoteValue<FeedState>(document).content
        self.document = JSONValue(document)
        self.locale = locale
    }

    var sections: [ListedSection] {
        FeedDraft(document["draft"]?["document"] ?? .null).sections.map { ListedSection(value: $0, locale: locale) }
    }

    /// Broken between words where there is no room.
    func heading(width room: Int?) -> String {
        let title = document["draft"]?["document"]?["title"].map { "  \(ListedSection.text($0, in: locale))" } ?? ""
        let lines = [("archived", feed.summary.archivedAt?.toTheSecond)] + [("live", live)] + coming + drafts
        let width = lines.map(\.0.count).max() ?? 0
        return "\(feed.summary.key)\(title)\n"
            + lines.compactMap { word, text in
                text.map { text in
                    let parts = room.map { text.broken(into: max(16, $0 - width - 4)) } ?? [text]
                    return parts.enumerated().map { index, part in
                        let word = index == 0 ? word : ""
                        return "  \(word)\(String(repeating: " ", count: width - word.count))  \(part)\n"
                    }.joined()
                }
            }.joined()
    }

    private var live: String? {
        let summary = feed.summary
        guard let live = summary.live else { return "nothing" }
        let end = summary.until.map { ", until \($0.toTheSecond)" } ?? ""
        return "revision \(live), \(summary.layer?.rawValue ?? "")\(end)"
    }

    /// Publications that show nothing yet, or nothing of which something is seen.
    private var coming: [(String, String?)] {
        let (publications, summary) = (feed.publications, feed.summary)
        let shown = publications.first { $0.revision == summary.live && $0.layer == summary.layer }
        return publications.filter { $0 != shown }.map { publication in
            let end = publication.until.map { " until \($0.toTheSecond)" } ?? ""
            let words = "revision \(publication.revision), \(publication.layer.rawValue)"
            return ("planned", "\(words), from \(publication.from.toTheSecond)\(end)")
        }
    }

    private var drafts: [(String, String?)] {
        feed.lines.map { revision in
            let isLive = revision.number == feed.summary.live
            let words = "revision \(revision.number) of \(revision.line), saved \(revision.savedAt.toTheSecond)"
            return ("draft", "\(words)\(isLive ? ", as it is live" : "")")
        }
    }
}

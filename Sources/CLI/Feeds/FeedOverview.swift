internal import JSON

/// What is shown of a feed, what will be and what is being prepared, as a few lines above its sections.
struct FeedOverview {
    let state: JSONValue
    let locale: String?

    var sections: [ListedSection] {
        FeedDraft(state["draft"]?["document"] ?? .null).sections.map { ListedSection(value: $0, locale: locale) }
    }

    /// Broken between words where there is no room.
    func heading(width room: Int?) -> String {
        let title = state["draft"]?["document"]?["title"].map { "  \(ListedSection.text($0, in: locale))" } ?? ""
        let lines = [("archived", state["archivedAt"]?.moment)] + [("live", live)] + coming + drafts
        let width = lines.map(\.0.count).max() ?? 0
        return "\(feed)\(title)\n"
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

    private var feed: String { state["feed"]?.text ?? "" }

    private var live: String? {
        guard let live = state["live"] else { return "nothing" }
        let end = live["until"]?.moment.map { ", until \($0)" } ?? ""
        return "revision \(live["revision"]?.number ?? 0), \(live["layer"]?.text ?? "")\(end)"
    }

    /// Publications that show nothing yet, or nothing of which something is seen.
    private var coming: [(String, String?)] {
        let publications = state["publications"]?.list ?? []
        let shown = publications.first { publication in
            publication["revision"] == state["live"]?["revision"] && publication["layer"] == state["live"]?["layer"]
        }
        return publications.filter { $0 != shown }.map { publication in
            let end = publication["until"]?.moment.map { " until \($0)" } ?? ""
            let word = "revision \(publication["revision"]?.number ?? 0), \(publication["layer"]?.text ?? "")"
            return ("planned", "\(word), from \(publication["from"]?.moment ?? "")\(end)")
        }
    }

    private var drafts: [(String, String?)] {
        (state["lines"]?.list ?? []).map { line in
            let number = line["revision"]?.number ?? 0
            let isLive = line["revision"] == state["live"]?["revision"]
            let saved = line["savedAt"]?.moment.map { ", saved \($0)" } ?? ""
            return ("draft", "revision \(number) of \(line["line"]?.text ?? "")\(saved)\(isLive ? ", as it is live" : "")")
        }
    }
}

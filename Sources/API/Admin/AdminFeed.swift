internal import Feeds
internal import JSON
internal import Values

/// All that decides what a feed shows, and what is to come.
struct AdminFeed: JSONEncodable {
    let summary: FeedSummary
    /// The newest revision of each line.
    let lines: [FeedRevision]
    /// Those that are not over.
    let publications: [Publication]
    /// What the base has now, also where a takeover is before it or the feed is archived.
    let base: Publication?
    /// What `:rollback` goes back to; nil for nothing.
    let formerBase: Int?
    /// Of the main line; nil where there is none.
    let draft: Draft?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", summary.key)
            json.member("archivedAt", summary.archivedAt?.description)
            if let live = summary.live, let layer = summary.layer {
                json.member("live") { json in
                    json.member("revision", live)
                    json.member("layer", layer.rawValue)
                    json.member("until", summary.until?.description)
                }
            }
            json.member("base", base)
            json.member("formerBase", formerBase)
            json.member("lines", lines)
            json.member("publications", publications)
            json.member("draft", draft)
        }
    }
}

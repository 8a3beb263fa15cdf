package import JSON

/// What is to be done with one line of a feed, or with a feed that no file is of.
package struct PlannedChange: Sendable {
    package enum Action: String, Sendable, JSONEncodable {
        /// A first draft, of a feed or of a line.
        case create
        case change
        case archive
        /// The draft says what the file says.
        case same
    }

    package let feed: FeedKey
    /// Nil for the feed as a whole.
    package let line: LineKey?
    package let action: Action
    /// The feed is archived, and is taken out of the archive first.
    package internal(set) var restores: Bool
    /// What is saved is shown on the base, from now on.
    package let publishes: Bool
    /// The revisions that this was decided on.
    package let draft: Int?
    package let base: Int?
    /// What a file says; nil where a feed is archived.
    package let file: FeedFile?
    /// From the draft, where there is one.
    package let difference: FeedDifference?
    /// The keys of those whose page is arranged otherwise once this is shown.
    package let storefronts: [String]
    /// What a review says of it; nil where none was asked.
    package var findings: [ReviewFinding]?

    /// Whether all of it is as it should be.
    package var isNothing: Bool { action == .same && !restores && !publishes }

    /// Whether clients see something else at once.
    package var isSeen: Bool { action == .archive || restores || publishes }

    /// All that it was decided on and is to do, but for what a review says, which changes with the catalog and the hour.
    var identity: [UInt8] {
        let numbers = [draft, base].map { $0.map(String.init) ?? "-" }
        let words = [feed.text, line?.text ?? "-", action.rawValue, restores ? "restores" : "-", publishes ? "publishes" : "-"] + numbers
        return Array((words.joined(separator: " ") + "\n").utf8) + (file?.document.canonical() ?? []) + [0x0A]
    }
}

extension PlannedChange: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("line", line)
            json.member("action", action)
            json.member("restores", restores, unless: false)
            json.member("publishes", publishes, unless: false)
            json.member("draft", draft)
            json.member("base", base)
            json.member("difference", difference)
            json.member("lines", difference?.lines)
            json.member("storefronts", storefronts)
            json.member("findings", findings)
        }
    }
}

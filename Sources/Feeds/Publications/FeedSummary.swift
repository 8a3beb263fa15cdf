package import JSON
package import Values

/// A feed in a list of all.
package struct FeedSummary: Sendable, Equatable {
    package let key: String
    package let archivedAt: Timestamp?
    /// The newest revision on the main line.
    package let draft: Int?
    /// What is shown now; nil for nothing.
    package let live: Int?
    package let layer: Publication.Layer?
    /// When something else is shown though nobody does anything.
    package let until: Timestamp?

    package init(key: String, archivedAt: Timestamp?, draft: Int?, live: Int?, layer: Publication.Layer?, until: Timestamp?) {
        self.key = key
        self.archivedAt = archivedAt
        self.draft = draft
        self.live = live
        self.layer = layer
        self.until = until
    }
}

extension FeedSummary: JSONEncodable {
    package func encode(to json: inout JSONWriter) { json.object { encodeMembers(to: &$0) } }

    /// For an object that says more.
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", key)
        json.member("archivedAt", archivedAt?.description)
        json.member("draft", draft)
        if let live, let layer {
            json.member("live") { json in
                json.member("revision", live)
                json.member("layer", layer.rawValue)
            }
        }
        json.member("until", until?.description)
    }
}

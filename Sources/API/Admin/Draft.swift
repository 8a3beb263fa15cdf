internal import Feeds
internal import JSON

/// A revision with its document, as curators are shown it.
struct Draft: JSONEncodable {
    let feed: FeedKey
    let revision: FeedRevision
    let document: [UInt8]
    /// What a review has found; nil where there was none.
    var findings: [ReviewFinding]?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            revision.encodeMembers(to: &json)
            json.member("findings", findings)
            json.key("document")
            json.rendered(document)
        }
    }

    /// The same for as long as nobody saves another document on the line.
    var state: TaggedResource {
        get throws(JSONError) { try TaggedResource(tag: revision.hash, self) }
    }
}

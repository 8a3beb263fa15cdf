internal import Feeds
internal import JSON

/// A revision of a feed as a server has it.
struct LoadedRevision: Sendable {
    let revision: FeedRevision
    let document: FeedDocument

    /// Nil where this program cannot read it.
    init?(_ answer: JSONNode) {
        guard let revision = answer.decodeLeniently(FeedRevision.self), let node = answer["document"] else { return nil }
        self.revision = revision
        do throws(JSONError) { document = try FeedDocument(parsing: JSONValue(node).json(), limits: .feed) } catch { return nil }
    }

    var number: Int { revision.number }
}

package import JSON
internal import Values

extension Publication {
    /// Reads what was written of one; nil for anything else.
    package init?(_ node: JSONNode) {
        guard let id = node["id"]?.integer, let feed = node["feed"]?.string, let layer = node["layer"]?.string.flatMap(Layer.init),
            let revision = node["revision"]?.integer, let from = node["from"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(
            id: id, feed: feed, layer: layer, revision: revision, from: from, until: node["until"]?.string.flatMap { Timestamp($0) },
            timeZone: node["timeZone"]?.string ?? "UTC")
    }
}

extension FeedRevision {
    /// Reads what was written of one; nil for anything else.
    package init?(_ node: JSONNode) {
        guard let number = node["revision"]?.integer, let line = node["line"]?.string, let hash = node["hash"]?.string,
            let savedAt = node["savedAt"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(number: number, line: line, hash: hash, savedAt: savedAt)
    }
}

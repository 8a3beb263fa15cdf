internal import JSON

/// All that some buckets hold at one head.
struct BucketListResponse {
    struct Entry {
        let version: Int
        /// Of its document alone.
        let ownVersion: Int
        let hash: String
    }

    /// Nil from a server that does not tell, whose list is of no use.
    let head: Int?
    /// Those of the buckets that were asked for which are listed; nil of all of them.
    let listed: [Int]?
    let entries: [EntityKey: Entry]

    init(_ body: [UInt8]) throws(ResponseDecoder.Refusal) {
        let root = try ResponseDecoder(body).root
        head = root["head"] == nil ? nil : try root.count("head")
        listed =
            root["listed"] == nil
            ? nil
            : try root.list("listed").map { node throws(ResponseDecoder.Refusal) in
                guard let bucket = node.integer else { throw ResponseDecoder.Refusal(reason: "a bucket is not a number") }
                return bucket
            }
        var entries: [EntityKey: Entry] = [:]
        for node in try root.list("entries") {
            guard node.kind == .object else { throw ResponseDecoder.Refusal(reason: "an entry is not an object") }
            let key = EntityKey(kind: try node.word("kind"), id: try node.word("id"))
            let version = try node.count("version", in: 1...(.max))
            let ownVersion = node["ownVersion"] == nil ? version : try node.count("ownVersion", in: 1...version)
            entries[key] = Entry(version: version, ownVersion: ownVersion, hash: try node.word("hash"))
        }
        self.entries = entries
    }
}

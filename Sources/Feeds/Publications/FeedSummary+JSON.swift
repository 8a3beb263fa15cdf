package import JSON
internal import Values

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

package import JSON
internal import Values

extension FeedRevision: JSONEncodable {
    package func encode(to json: inout JSONWriter) { json.object { encodeMembers(to: &$0) } }

    /// For an object that says more.
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", number)
        json.member("line", line)
        json.member("hash", hash)
        json.member("savedAt", savedAt.description)
    }
}

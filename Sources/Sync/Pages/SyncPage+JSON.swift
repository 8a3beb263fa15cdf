package import JSON

extension SyncPage {
    /// The document of an answer; `cursor` is the text of the page's own, `lifetime` for how many days it surely is of use.
    package func document(cursor: String, lifetime: Int) throws(JSONError) -> [UInt8] {
        var json = JSONWriter(capacity: changes.reduce(256) { $0 + $1.count + 1 })
        json.object { json in
            json.member("cursor", cursor)
            json.member("hasMore", hasMore)
            json.member("upToDate", isUpToDate)
            json.member("version", self.cursor.version)
            json.member("head", head)
            json.member("expiresAfter", "P\(lifetime)D")
            json.key("changes")
            json.array { json in for change in changes { json.rendered(change) } }
        }
        return try json.finish()
    }
}

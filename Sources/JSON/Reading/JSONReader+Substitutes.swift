extension JSONReader {
    /// Reads another value in place of this one. Its issues are reported at the same pointers below this value, or at
    /// the nearest parents that exist.
    package func decode<Value: JSONDecodable>(
        as type: Value.Type, from substitute: JSONValue, limits: JSONLimits
    ) throws(JSONReadError) -> Value {
        do throws(JSONError) {
            return try JSONDocument(parsing: substitute.json(), limits: limits).decode(type)
        } catch {
            for issue in error.issues {
                let nearest = node.nearest(to: issue.pointer)
                // An unknown key is reported at the key, which is the entry before its value.
                let isKey = issue.code == .unknownKey && nearest.index > index && session.tape.entries[nearest.index - 1].tag.isKey
                session.report(issue.code, at: isKey ? nearest.index - 1 : nearest.index, issue.message, hint: issue.hint)
            }
            throw JSONReadError()
        }
    }
}

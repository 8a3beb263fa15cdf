internal import HTTPMessages
internal import JSON
internal import Security

/// A state of something that can be changed, as a GET shows it, with the tag that a change has to name.
struct TaggedResource: Sendable {
    let tag: EntityTag
    let document: [UInt8]

    /// Without a tag of its own it has one of all that is shown of it.
    init(tag: String? = nil, _ value: some JSONEncodable) throws(JSONError) {
        document = try value.json()
        self.tag = EntityTag(tag ?? Digest.tag(of: document))
    }
}

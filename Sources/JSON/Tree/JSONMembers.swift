/// The members of an object in the order of the text, walked without allocating.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    /// A key and its value.
    package struct Member: Sendable {
        package let value: JSONNode

        package var key: String { keyNode.text }

        /// Where the key stands.
        package var position: JSONPosition { keyNode.position }

        /// As `position`, in bytes.
        package var offset: Int { keyNode.offset }

        var keyIndex: Int { value.index - 1 }

        private var keyNode: JSONNode { JSONNode(document: value.document, index: keyIndex) }

        /// Compares bytes, without making a `String` of the key.
        package func hasKey(_ key: String) -> Bool {
            value.document.tape.hasText(key, at: keyIndex)
        }
    }

    private let document: JSONDocument
    private var index: Int
    private var remaining: Int

    init(of object: JSONNode) {
        document = object.document
        index = object.index + 1
        remaining = object.kind == .object ? object.count : 0
    }

    package var underestimatedCount: Int { remaining }

    package mutating func next() -> Member? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        let value = JSONNode(document: document, index: index + 1)
        index = value.next
        return Member(value: value)
    }
}

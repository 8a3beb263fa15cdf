/// The elements of an array, walked without allocating.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private var remaining: Int

    init(of array: JSONNode) {
        document = array.document
        index = array.index + 1
        remaining = array.kind == .array ? array.count : 0
    }

    package var underestimatedCount: Int { remaining }

    package mutating func next() -> JSONNode? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        defer { index = document.tape.entry(after: index) }
        return JSONNode(document: document, index: index)
    }
}

package import JSON

/// An enum that stands in a document as one word.
package protocol KeywordEnum: Equatable, Sendable, JSONDecodable, JSONEncodable {
    /// Every case with its word, in the order in which a message lists them.
    static var words: [(word: String, value: Self)] { get }
}

extension KeywordEnum {
    package init(from json: JSONReader) throws(JSONReadError) {
        let words = Self.words
        self = words[try json.place(among: words.map(\.word))].value
    }

    package func encode(to json: inout JSONWriter) { json.string(word) }

    /// Every case has a word, so the empty one is never seen.
    package var word: String { Self.words.first { $0.value == self }?.word ?? "" }
}

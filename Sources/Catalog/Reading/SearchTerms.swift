/// A search text, folded and divided into words.
struct SearchTerms {
    /// The folded text, of any length.
    let whole: String
    /// The beginning of the text that titles are compared with.
    let text: String
    /// The words to find. The last one may be the beginning of a word.
    let typed: [(text: String, isPrefix: Bool)]
    /// The words between spaces, without those of scripts that do not separate words.
    let spaced: [String]
    let unspaced: [String]
    /// Whether at least half of all items are in the storefront of the search.
    let isWide: Bool
    private let letters: Set<String>
    /// The words that are two adjacent letters of a script without spaces. The index has no longer words that begin with them.
    private let pairs: Set<String>

    /// Creates the terms of a text. `letters` are the words that are one letter of a script without spaces.
    init(text: String, words: [String], letters: [String], spaced: [String], unspaced: [String], isWide: Bool) {
        whole = text
        self.text = Self.cut(text)
        self.isWide = isWide
        let letters = Set(letters)
        self.letters = letters
        pairs = Self.pairs(of: words, letters)
        self.spaced = Self.few(spaced)
        self.unspaced = Self.few(unspaced)
        // A pair of letters implies its second letter, which the index has only at the end of a text.
        let needed = words.indices.filter { index in
            guard index > 0, letters.contains(words[index]) else { return true }
            let previous = words[index - 1].unicodeScalars
            return !(previous.count == 2 && words[index].unicodeScalars.elementsEqual(previous.suffix(1)))
        }
        let few = Self.few(needed.map { words[$0] })
        // A pair at the end of the text is a complete word of the index.
        let endsInPair = needed.last != words.indices.last
        typed = few.enumerated().map { (text: $1, isPrefix: !endsInPair && $0 == needed.count - 1 || letters.contains($1)) }
    }

    /// Each run of such letters is its pairs, followed by its last letter.
    private static func pairs(of words: [String], _ letters: Set<String>) -> Set<String> {
        var pairs: Set<String> = []
        for (word, next) in zip(words, words.dropFirst()).reversed() where letters.contains(next) || pairs.contains(next) {
            let scalars = word.unicodeScalars
            if scalars.count == 2, scalars.last == next.unicodeScalars.first { pairs.insert(word) }
        }
        return pairs
    }

    /// More words do not improve a search.
    private static func few(_ words: [String]) -> [String] { words.prefix(16).map(cut) }

    /// Truncates the text to the length that the index stores of a word.
    private static func cut(_ text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(100))) }

    /// A query of `catalog.search`.
    struct Search {
        let query: String
        /// The maximum number of candidates that it reads.
        let limit: Int
        /// The number of candidates of another query that makes this one unnecessary.
        var enough = 100
    }

    /// The maximum number of words that can all be beginnings of words, not counting those that are letters.
    private static let maxBeginnings = 4

    /// The queries of `catalog.search`.
    ///
    /// The first two find titles that begin with the text or equal it. The others follow from the most to the least selective,
    /// because a search ends with the one that fills a page. Two frequent words are in many items, and few of these have them next
    /// to each other: the index reads one short list for the pair instead of two long ones. The last query reads all matches of all
    /// beginnings, so it runs only if nothing else is found, and only for a few words.
    var searches: [Search] {
        let whole = typed.map { (text: $0.text, isPrefix: letters.contains($0.text)) }
        let beginnings = typed.map { (text: $0.text, isPrefix: !pairs.contains($0.text)) }
        let written = typed.count { !pairs.contains($0.text) && !letters.contains($0.text) }
        let hasPairs = spaced.count > 1 && unspaced.isEmpty
        var searches = [
            Search(query: SearchQuery.title(text, isPrefix: true), limit: 60), Search(query: SearchQuery.title(text), limit: 30),
        ]
        if hasPairs { searches.append(Search(query: SearchQuery.pairs(spaced, lastIsPrefix: false), limit: 150)) }
        searches.append(Search(query: SearchQuery.words(whole), limit: 150))
        if hasPairs { searches.append(Search(query: SearchQuery.pairs(spaced, lastIsPrefix: true), limit: 150)) }
        if !zip(whole, typed).allSatisfy(==) { searches.append(Search(query: SearchQuery.words(typed), limit: 500)) }
        if written <= Self.maxBeginnings, !zip(typed, beginnings).allSatisfy(==) {
            searches.append(Search(query: SearchQuery.words(beginnings), limit: 500, enough: 1))
        }
        return searches
    }
}

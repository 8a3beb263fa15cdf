internal import Values

/// The random parameters of calls, determined by a seed.
struct ReadChance {
    private var state: UInt64
    private let titles: [String]
    /// The words of the titles that have at least three.
    private let longTitles: [[Substring]]
    private let ids: [UUID]
    private let categories: [String]
    private let developers: [String]

    init(seed: UInt64, titles: [String], ids: [UUID], categories: [String], developers: [String]) {
        state = seed
        self.developers = developers
        self.categories = categories
        self.titles = titles
        longTitles = titles.map { $0.split(separator: " ") }.filter { $0.count > 2 }
        self.ids = ids
    }

    /// Returns a random number below a limit, with SplitMix64.
    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func category() -> String { pick(categories) }

    mutating func developer() -> String { pick(developers) }

    mutating func someIDs(_ count: Int) -> [UUID] { (0..<count).map { _ in pick(ids) } }

    /// Returns the first words of a title.
    mutating func words(_ count: Int) -> String { pick(titles).split(separator: " ").prefix(count).joined(separator: " ") }

    /// Returns the first word of a title and one after the second. The first word is the adjective, which has a noun after it in all
    /// generated titles. The noun and the name of a title can be adjacent in another title.
    mutating func separateWords() -> String {
        let words = pick(longTitles)
        return "\(words[0]) \(words[2 + below(words.count - 2)])"
    }

    mutating func beginning(_ count: Int) -> String { String(pick(titles).prefix(count)) }

    /// Returns a random word with two adjacent letters swapped.
    mutating func misspelt() -> String {
        var letters = Array(words(1))
        if letters.count > 3 { letters.swapAt(2, 3) }
        return String(letters)
    }
}

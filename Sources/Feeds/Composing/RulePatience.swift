/// How much of its time a drain gives to rules that are too slow.
struct RulePatience {
    /// How many more may take longer than one may.
    var left: Int
    /// Those that did. Their sections are asked last in other storefronts, each alone.
    private(set) var slow: Set<FeedSection> = []

    init(left: Int) { self.left = left }

    mutating func note(_ section: FeedSection) { slow.insert(section) }
}

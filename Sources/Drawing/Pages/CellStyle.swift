internal import Layout

/// The way in which a picture draws a cell. Clients own the names of their cells, so a picture recognizes common words
/// in a name, and otherwise follows the shape of the cell.
enum CellStyle {
    /// A small artwork, texts and a button in a row. `isRanked` adds the position.
    case row(isRanked: Bool)
    /// A picture that fills the cell, with texts on its lower part.
    case poster
    /// A poster with a button.
    case hero
    /// A picture above its texts.
    case card
    /// A search term.
    case suggestion

    /// The style of a cell by the name that the page has for it, if it names one.
    init(name: String?, _ frame: Rectangle) {
        let shape = Self.shape(of: frame)
        let words = Self.words(of: name ?? "")
        func has(_ known: String...) -> Bool { !words.isDisjoint(with: known) }
        switch true {
        case has("row"): self = .row(isRanked: has("rank", "ranked", "ranking"))
        case has("suggestion"): self = .suggestion
        case _ where frame.height < 72: self = shape
        case has("hero", "banner"): self = .hero
        case has("poster", "large"): self = .poster
        case has("card", "tile"): self = .card
        default: self = shape
        }
    }

    /// Returns the words of a camelCase name in lower case, each without a plural `s`: `ranked` and `row` for
    /// `rankedRows`.
    static func words(of name: String) -> Set<String> {
        var words: [String] = []
        let letters: [Character] = ["-"] + Array(name) + ["-"]
        for index in letters.indices where letters[index].isLetter {
            let (before, letter, after) = (letters[index - 1], letters[index], letters[index + 1])
            // An acronym such as `TV` in `TVRow` is one word.
            let starts = !before.isLetter || letter.isUppercase && (!before.isUppercase || after.isLowercase)
            if starts { words.append(letter.lowercased()) } else { words[words.count - 1] += letter.lowercased() }
        }
        return Set(words.map { $0.count > 3 && $0.hasSuffix("s") ? String($0.dropLast()) : $0 })
    }

    private static func shape(of frame: Rectangle) -> CellStyle {
        if frame.height < 130, frame.width > 2.4 * frame.height { return .row(isRanked: false) }
        if frame.height < 72 { return .poster }
        return frame.width >= 240 && frame.height >= 160 ? .hero : .card
    }
}

extension LayoutItem {
    /// Returns the names of the slots of a group that has `count` cells.
    ///
    /// Only the solver knows how often a group repeats its list. All such groups of one tree are assumed to repeat it
    /// equally often.
    func slots(count: Int) -> [Name?] {
        for copies in 1...max(1, count) {
            let slots = slots(copies: copies, limit: count)
            if slots.count >= count || slots.isEmpty { return Array(slots.prefix(count)) }
        }
        return []
    }

    private func slots(copies: Int, limit: Int) -> [Name?] {
        switch content {
        case .cell(let slot): return [slot]
        case .custom(let custom): return Array(repeating: nil, count: custom.frames.count)
        case .group(let group):
            let list = group.subitems.flatMap { $0.slots(copies: copies, limit: limit) }
            let times =
                switch group.fill {
                case .repeat: copies
                case .equal(let copies), .times(let copies): copies.count
                }
            return (0..<min(times, limit)).reduce(into: []) { slots, _ in if slots.count < limit { slots += list } }
        }
    }
}

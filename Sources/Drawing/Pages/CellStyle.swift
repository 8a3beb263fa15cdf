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
        let words = (name ?? "").lowercased()
        switch true {
        case words.contains("row"): self = .row(isRanked: words.contains("rank"))
        case words.contains("suggestion"): self = .suggestion
        case _ where frame.height < 72: self = shape
        case words.contains("hero") || words.contains("banner"): self = .hero
        case words.contains("poster") || words.contains("large"): self = .poster
        case words.contains("card") || words.contains("tile"): self = .card
        default: self = shape
        }
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

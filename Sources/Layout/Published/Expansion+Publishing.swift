extension Expansion {
    /// Adds all layouts and their fallbacks to a table.
    package func published(into table: inout LayoutTable, hashedBy hash: LayoutHash) -> Arrangement {
        var arrangement = Arrangement(layout: table.publish(layout, hashedBy: hash))
        for variant in variantsForEveryVersion {
            arrangement.variants.append(
                .init(when: variant.condition, table.publish(variant.layout, hashedBy: hash), variant.cells))
        }
        if let active { arrangement.alternates.append(.init(active, arrangement.layout)) }
        for alternate in alternates {
            arrangement.alternates.append(
                .init(alternate.name, table.publish(alternate.layout, hashedBy: hash), alternate.cells))
        }
        arrangement.active = active
        return arrangement
    }
}

// MARK: Clients of version 1.0

extension Expansion {
    /// The variants, after those that only clients of version 1.0 use.
    ///
    /// Such a client reads the horizontal size class and the width of a condition. It ignores the other fields, so it would
    /// use a variant for large text on a wide screen at every text size. Therefore its layouts come first, under conditions
    /// that no later client meets. A client that ignores a variant with an unknown field ignores these variants too.
    private var variantsForEveryVersion: [Variant] {
        var meant: [Variant] = []
        for variant in variants where variant.condition.isForUsualText {
            let read = variant.condition.readPart
            meant.append(Variant(condition: read == Condition() ? .everyScreen : read, layout: variant.layout, cells: variant.cells))
        }
        meant.append(Variant(condition: .everyScreen, layout: layout))
        var added = Array(meant.prefix(countNeeded(of: meant)))
        for index in added.indices {
            var condition = added[index].condition
            condition.minHeight = .aboveEveryScreen
            added[index] = Variant(condition: condition, layout: added[index].layout, cells: added[index].cells)
        }
        return added + variants
    }

    /// Returns how many of the meant variants must come first, so that a client of version 1.0 shows the right layouts and cells.
    ///
    /// A client that is right without a meant variant stays right with it. So a number is large enough if each client that would
    /// be wrong without them finds its meant variant among them.
    private func countNeeded(of meant: [Variant]) -> Int {
        var looks = Looks()
        let (own, shownLooks, rightLooks) = (looks.number(of: layout), looks.numbers(of: variants), looks.numbers(of: meant))
        let widths = variants.widths
        var count = 0
        for sizeClass in LayoutEnvironment.SizeClass.allCases {
            for fieldCount in [1, 3] {
                let shown = variants.first(at: widths, in: sizeClass, reading: fieldCount)
                let right = meant.first(at: widths, in: sizeClass, reading: fieldCount)
                for (shown, right) in zip(shown, right) {
                    guard let right, right >= count else { continue }
                    if rightLooks[right] != (shown.map { shownLooks[$0] } ?? own) { count = right + 1 }
                }
            }
        }
        return count
    }
}

/// Numbers that are equal for equal layouts with equal cells, so that each layout is read once.
private struct Looks {
    private struct Look: Hashable {
        let layout: LayoutDescriptor
        let cells: CellStyles?
    }

    private var known: [Look: Int] = [:]

    mutating func number(of layout: LayoutDescriptor, _ cells: CellStyles? = nil) -> Int {
        let look = Look(layout: layout, cells: cells)
        if let number = known[look] { return number }
        known[look] = known.count
        return known.count - 1
    }

    mutating func numbers(of variants: [Expansion.Variant]) -> [Int] {
        var numbers: [Int] = []
        for variant in variants { numbers.append(number(of: variant.layout, variant.cells)) }
        return numbers
    }
}

extension [Expansion.Variant] {
    /// The widths from which on a condition holds, or holds no more, in ascending order.
    fileprivate var widths: [Double] {
        var widths: Set<Double> = [0]
        for variant in self {
            if let width = variant.condition.minWidth { widths.insert(width.value) }
            if let width = variant.condition.maxWidth { widths.insert(width.value.nextUp) }
        }
        return widths.sorted()
    }

    /// Returns the index of the variant that a client of version 1.0 uses at each of these widths, or nil.
    fileprivate func first(at widths: [Double], in sizeClass: LayoutEnvironment.SizeClass, reading fieldCount: Int) -> [Int?] {
        var ranges = FirstRanges(at: widths)
        for (index, variant) in enumerated() where variant.condition.isRead(in: sizeClass, reading: fieldCount) {
            ranges.insert(index, from: variant.condition.minWidth?.value, through: variant.condition.maxWidth?.value)
        }
        return ranges.indices
    }
}

extension Condition {
    fileprivate static let everyScreen = Condition(minWidth: 0)

    /// The fields that a client of version 1.0 reads.
    fileprivate var readPart: Condition { Condition(horizontalSizeClass: horizontalSizeClass, minWidth: minWidth, maxWidth: maxWidth) }

    /// Whether a client of version 1.0 uses a variant with the condition at its widths. The condition of a variant had one field
    /// in this version, so some clients ignore a condition with more of the fields that they read.
    fileprivate func isRead(in sizeClass: LayoutEnvironment.SizeClass, reading fieldCount: Int) -> Bool {
        let fields = [horizontalSizeClass != nil, minWidth != nil, maxWidth != nil].count { $0 }
        return (1...fieldCount).contains(fields) && (horizontalSizeClass ?? sizeClass) == sizeClass
    }

    /// Whether the fields that a client of version 1.0 does not read hold for a user who chose no text size. Conditions on the
    /// height never hold for such a client.
    fileprivate var isForUsualText: Bool {
        verticalSizeClass == nil && minHeight == nil && maxHeight == nil && (minTextSize ?? .standard) <= .standard
            && (maxTextSize ?? .standard) >= .standard
    }
}

extension Magnitude {
    fileprivate static let aboveEveryScreen: Magnitude = 1_000_000_000
}

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
        var added: [Variant] = []
        for variant in meant {
            if shows(added + variants, as: meant) { break }
            var condition = variant.condition
            condition.minHeight = .aboveEveryScreen
            added.append(Variant(condition: condition, layout: variant.layout, cells: variant.cells))
        }
        return added + variants
    }

    /// Whether a client of version 1.0 shows the same layouts and cells with two lists of variants.
    private func shows(_ variants: [Variant], as meant: [Variant]) -> Bool {
        for width in variants.widths {
            for sizeClass in LayoutEnvironment.SizeClass.allCases {
                let screen = LayoutEnvironment(width: width, height: 0, horizontalSizeClass: sizeClass)
                for fieldCount in [1, 3] {
                    let shown = variants.first { $0.condition.isMet(by: screen, reading: fieldCount) }
                    let right = meant.first { $0.condition.isMet(by: screen, reading: fieldCount) }
                    guard (shown?.layout ?? layout) == (right?.layout ?? layout), shown?.cells == right?.cells else { return false }
                }
            }
        }
        return true
    }
}

extension [Expansion.Variant] {
    /// The widths from which on a condition holds, or holds no more.
    fileprivate var widths: [Magnitude] {
        [0] + compactMap(\.condition.minWidth) + compactMap { $0.condition.maxWidth.flatMap { Magnitude($0.value.nextUp) } }
    }
}

extension Condition {
    fileprivate static let everyScreen = Condition(minWidth: 0)

    /// The fields that a client of version 1.0 reads.
    fileprivate var readPart: Condition { Condition(horizontalSizeClass: horizontalSizeClass, minWidth: minWidth, maxWidth: maxWidth) }

    /// Whether a client of version 1.0 uses a variant with the condition. The condition of a variant had one field in this
    /// version, so some clients ignore a condition with more of the fields that they read.
    fileprivate func isMet(by screen: LayoutEnvironment, reading fieldCount: Int) -> Bool {
        let fields = [horizontalSizeClass != nil, minWidth != nil, maxWidth != nil].count { $0 }
        return (1...fieldCount).contains(fields) && readPart.holds(in: screen)
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

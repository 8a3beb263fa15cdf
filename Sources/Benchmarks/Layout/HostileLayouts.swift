import Layout

/// Pages that are designed to be slow, each close to the worst case within the limits.
enum HostileLayouts {
    static func pages() throws -> [(name: String, contents: [SectionContent])] {
        let heights = (0..<SolverLimits.items).map { MeasuredSize(height: Magnitude(Double($0 % 97 + 1))) }
        let row = LayoutItem(
            .group(LayoutGroup(.horizontal, of: uniform(.cell(slot: nil)))),
            size: LayoutSize(width: .fractionalWidth(.whole), height: .estimated(1)))
        let rows = SectionContent(layout: LayoutSection(.group(row)), itemCount: 48_000, measurements: heights)
        let full = try nested(levels: LayoutGroup.greatestDepth, copies: 2)
        let uniforms = SectionContent(
            layout: LayoutSection(.group(full)), itemCount: 256, measurements: heights)
        let small = SectionContent(layout: LayoutSection(.group(full)), itemCount: 1)
        var badges = uniform(.cell(slot: nil))
        let size = LayoutSize(width: .absolute(1), height: .absolute(1))
        badges.supplementaryItems = [SupplementaryItem(elementKind: "badge", size: size, containerAnchor: Anchor(edges: .top))]
        let badged = SectionContent(layout: LayoutSection(.group(badges)), itemCount: SolverLimits.items)
        let tried = SectionContent(
            layout: LayoutSection(.group(try custom())), itemCount: 190,
            measurements: Array(repeating: MeasuredSize(height: 41), count: 190))
        return [
            ("48,000 measured rows", [rows]), ("uniform groups eight deep", [uniforms]),
            ("190 sections of 256 slots", Array(repeating: small, count: 190)), ("100,000 badges", [badged]),
            ("custom groups that are tried", [tried]),
        ]
    }

    /// Returns a layout that tries a custom group after each cell, which never fits.
    private static func custom() throws -> LayoutItem {
        func size(_ height: Dimension) -> LayoutSize { LayoutSize(width: .fractionalWidth(.whole), height: height) }
        let frames = Array(repeating: CustomGroup.Frame(x: 0, y: 0, width: 1, height: 1), count: CustomGroup.maxFrames - 1)
        let group = LayoutItem(.custom(try CustomGroup(frames: frames)), size: size(.estimated(1_000)))
        let column = try LayoutGroup(.vertical, subitems: [LayoutItem(size: size(.estimated(40))), group])
        return LayoutItem(.group(column), size: size(.absolute(100)))
    }

    private static func uniform(_ content: LayoutItem.Content) -> LayoutItem {
        LayoutItem(content, size: LayoutSize(width: .fractionalWidth(.whole), height: .uniformAcrossSiblings(1)))
    }

    private static func nested(levels: Int, copies: Int) throws -> LayoutItem {
        guard let copies = Fill.RepeatCount(copies) else { throw BenchmarkFailure(reason: "invalid number of copies") }
        return (0..<levels).reduce(uniform(.cell(slot: nil))) { item, _ in
            uniform(.group(LayoutGroup(.vertical, of: item, fill: .times(copies))))
        }
    }
}

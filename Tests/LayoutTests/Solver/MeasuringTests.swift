import TestSupport
import Testing

@testable import Layout

@Suite("Measured sizes")
struct MeasuringTests {
    private static func solve(_ group: LayoutItem, measured: [MeasuredSize]) throws -> SolvedSection {
        let content = SectionContent(
            layout: LayoutSection(.group(group)), itemCount: measured.count, measurements: measured)
        return try SolvedPage(solving: [content], in: LayoutEnvironment(width: 320, height: 640, scale: 2)).sections[0]
    }

    private static func heights(_ heights: [Double?]) -> [MeasuredSize] {
        heights.map { height in height.map { MeasuredSize(height: Magnitude($0)) } ?? .unknown }
    }

    private static func rows(_ height: Dimension) -> LayoutItem {
        LayoutItem(size: LayoutSize(width: .fractionalWidth(.whole), height: height))
    }

    /// Returns a column that is 100 points high.
    private static func column(of child: LayoutItem, gap: Spacing = .zero) -> LayoutItem {
        LayoutItem(
            .group(LayoutGroup(.vertical, of: child, interItemSpacing: gap)),
            size: LayoutSize(width: .fractionalWidth(.whole), height: .absolute(100)))
    }

    @Test(
        "Items whose measured sizes fit together form one group",
        arguments: [60, 80, 100, 130] as [Magnitude])
    func slots(estimate: Magnitude) throws {
        let column = Self.column(of: Self.rows(.estimated(estimate)))
        let both = try Self.solve(column, measured: Self.heights([60, 40]))
        #expect(both.frames.map(\.height) == [60, 40])
        #expect(both.groupFrames.count == 1)
    }

    @Test("A measured item joins the group of an unmeasured one if it fits")
    func unknownFirst() throws {
        let column = Self.column(of: Self.rows(.estimated(60)))
        let two = try Self.solve(column, measured: Self.heights([nil, 40]))
        #expect(two.frames == [Rectangle(x: 0, y: 0, width: 320, height: 60), Rectangle(x: 0, y: 60, width: 320, height: 40)])
        #expect(two.groupFrames.count == 1)
        let nested = try Self.solve(
            Self.column(
                of: LayoutItem(
                    .group(LayoutGroup(.horizontal, of: Self.rows(.estimated(60)))),
                    size: LayoutSize(width: .fractionalWidth(.whole), height: .estimated(60)))),
            measured: Self.heights([nil, 40]))
        #expect(nested.groupFrames.count == 1)
    }

    @Test("An estimate has the same effect as a measurement of the same size", arguments: 0..<200 as Range<UInt64>)
    func estimates(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let estimate = Double.random(in: 10...120, using: &random).rounded()
        let measured = (0..<30).map { _ in Bool.random(using: &random) ? Double.random(in: 5...90, using: &random).rounded() : nil }
        let column = Self.column(of: Self.rows(.estimated(try #require(Magnitude(estimate)))), gap: .fixed(8))
        let one = try Self.solve(column, measured: Self.heights(measured))
        let other = try Self.solve(column, measured: Self.heights(measured.map { $0 ?? estimate }))
        #expect(one.frames == other.frames, "seed \(seed)")
        #expect(one.groupFrames == other.groupFrames, "seed \(seed)")
        #expect(one.warnings == other.warnings, "seed \(seed)")
    }

    @Test("Uniform siblings that differ only in width keep their heights")
    func oneAxis() throws {
        let cell = LayoutItem(size: LayoutSize(width: .estimated(50), height: .fractionalHeight(.decimal(0.5))))
        let column = LayoutItem(
            .group(LayoutGroup(.vertical, of: cell, fill: .times(1))),
            size: LayoutSize(width: .uniformAcrossSiblings(50), height: .uniformAcrossSiblings(100)))
        let row = LayoutItem(
            .group(LayoutGroup(.horizontal, of: column, fill: .times(2))),
            size: LayoutSize(width: .fractionalWidth(.whole), height: .estimated(100)))
        let widths = [40, 70].map { MeasuredSize(width: $0) }
        let section = try Self.solve(row, measured: widths)
        #expect(section.frames.map(\.height) == [50, 50])
        #expect(section.frames.map(\.x) == [0, 70])
        #expect(section.groupFrames.map(\.height) == [50])
    }

    @Test("Uniform groups of equal height are not filled again")
    func equalGroups() throws {
        let children = [Self.rows(.fractionalHeight(.decimal(0.5))), Self.rows(.estimated(30))]
        let column = LayoutItem(
            .group(try LayoutGroup(.vertical, subitems: children)),
            size: LayoutSize(width: .fractionalWidth(.whole), height: .uniformAcrossSiblings(100)))
        let section = try Self.solve(column, measured: Self.heights([nil, 30, nil, 30]))
        #expect(section.frames.map(\.height) == [50, 30, 50, 30])
        #expect(section.groupFrames.map(\.height) == [80, 80])
        let differing = try Self.solve(column, measured: Self.heights([nil, 30, nil, 50]))
        #expect(differing.groupFrames.map(\.height) == [100, 100])
    }
}

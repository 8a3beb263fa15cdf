import JSON
import TestSupport
import Testing

@testable import Layout

@Suite("The limits of the solver")
struct SolverLimitTests {
    private static let whole = LayoutSize(width: .fractionalWidth(.whole), height: .fractionalHeight(.whole))

    private static func error(_ item: LayoutItem, items: Int = 10, _ change: (inout LayoutSection) -> Void = { _ in }) -> LayoutError? {
        var section = LayoutSection(.group(item))
        change(&section)
        return error([SectionContent(layout: section, itemCount: items)])
    }

    private static func error(_ contents: [SectionContent], width: Magnitude = 320) -> LayoutError? {
        do throws(LayoutError) {
            _ = try SolvedPage(solving: contents, in: LayoutEnvironment(width: width, height: 640, scale: 2))
            return nil
        } catch {
            return error
        }
    }

    private static func row(_ child: LayoutItem, _ fill: Fill = .repeat, size: LayoutSize = whole, insets: Insets = .zero) -> LayoutItem {
        LayoutItem(.group(LayoutGroup(.horizontal, of: child, fill: fill)), size: size, contentInsets: insets)
    }

    private static func cell(_ width: Dimension) -> LayoutItem {
        LayoutItem(size: LayoutSize(width: width, height: .fractionalHeight(.whole)))
    }

    @Test("A group has at most 512 slots, in every kind of fill")
    func slots() throws {
        let cell = Self.cell(.absolute(1))
        #expect(Self.error(Self.row(cell, .times(512))) == nil)
        #expect(Self.error(Self.row(cell, .times(513)))?.code == .tooManySlots)
        #expect(Self.error(Self.row(cell, .equal(try #require(.init(.max)))))?.code == .tooManySlots)
        #expect(Self.error(Self.row(Self.cell(.absolute(0.1))))?.code == .tooManySlots)
        #expect(Self.error(Self.row(Self.row(cell, .times(100)), .times(6))) == LayoutError(.tooManySlots, section: 0, path: [0, 0]))
    }

    @Test("A child that does not fit uses no slots", arguments: [SolverLimits.slotsPerGroup, 513])
    func triedChild(width: Int) throws {
        let row = Self.row(
            Self.cell(.estimated(1)), size: LayoutSize(width: .absolute(try #require(Magnitude(Double(width)))), height: .absolute(10)))
        #expect(Self.error(row)?.code == (width > SolverLimits.slotsPerGroup ? .tooManySlots : nil))
        let cells = Self.row(
            Self.cell(.estimated(10)), .times(20), size: LayoutSize(width: .fractionalWidth(.whole), height: .estimated(20)))
        let rows = LayoutItem(
            .group(LayoutGroup(.vertical, of: cells)), size: LayoutSize(width: .fractionalWidth(.whole), height: .absolute(500)))
        #expect(Self.error(rows) == nil)
    }

    @Test("Solving repeated custom frames ends in time with an error")
    func customFrames() throws {
        let frames = Array(repeating: CustomGroup.Frame(x: 0, y: 0, width: 1, height: 1), count: 511)
        func size(_ height: Dimension) -> LayoutSize { LayoutSize(width: .fractionalWidth(.whole), height: height) }
        let children = [
            LayoutItem(size: size(.estimated(40))), LayoutItem(.custom(try CustomGroup(frames: frames)), size: size(.estimated(1_000))),
        ]
        let column = LayoutItem(.group(try LayoutGroup(.vertical, subitems: children)), size: size(.absolute(100)))
        let measured = Array(repeating: MeasuredSize(height: 41), count: 30_000)
        let content = SectionContent(layout: LayoutSection(.group(column)), itemCount: 30_000, measurements: measured)
        #expect(Self.error([content])?.code == .tooManyItems)
    }

    @Test("Children without size and gap are rejected, because any number of them would fit")
    func zeroExtent() {
        #expect(Self.error(Self.row(Self.cell(.absolute(0)))) == LayoutError(.zeroExtent, section: 0, path: [0]))
        #expect(Self.error(Self.row(Self.cell(.absolute(0)), .times(3)))?.code == .zeroExtent)
        var edged = Self.cell(.absolute(0))
        edged.edgeSpacing.leading = .fixed(80)
        #expect(Self.error(Self.row(edged)) == nil)
    }

    @Test("Insets that leave no room are rejected with their pointer")
    func noRoom() {
        let inner = Self.row(Self.cell(.fractionalWidth(.whole)), insets: Insets(leading: 200, trailing: 120))
        #expect(Self.error(Self.row(inner)) == LayoutError(.noRoom, section: 0, path: [0]))
        #expect(Self.error(Self.row(Self.cell(.absolute(9)))) { $0.contentInsets = Insets(top: 640) } == LayoutError(.noRoom, section: 0))
        let tight = LayoutGroup(.horizontal, of: Self.cell(.absolute(1)), fill: .equal(3), interItemSpacing: .fixed(160))
        #expect(Self.error(LayoutItem(.group(tight), size: Self.whole))?.code == .noRoom)
        #expect(Self.error([], width: 0) == nil)
        let empty = SectionContent(layout: LayoutSection(.group(Self.cell(.absolute(1)))), itemCount: 0)
        #expect(Self.error([empty], width: 0)?.code == .noRoom)
    }

    @Test("The limit of items applies to the whole page")
    func items() {
        let layout = LayoutSection(.group(Self.cell(.absolute(1))))
        func content(_ count: Int) -> SectionContent { SectionContent(layout: layout, itemCount: count) }
        #expect(Self.error([content(60_000), content(40_000)]) == nil)
        #expect(Self.error([content(60_000), content(40_001)]) == LayoutError(.tooManyItems, section: 1))
        #expect(Self.error([content(.max)])?.code == .tooManyItems)
        #expect(Self.error([content(1), content(.max)])?.code == .tooManyItems)
        #expect(Self.error([content(-1)])?.code == .tooManyItems)
        #expect(Self.error([content(.min)])?.code == .tooManyItems)
        #expect(Self.error(Array(repeating: content(0), count: 1_001)) == LayoutError(.tooManyItems))
    }

    @Test(
        "The limit of supplementary items applies to the whole page, unattached ones included",
        arguments: [SupplementaryFrequency.always, .firstOf(5)])
    func parts(occurrence: SupplementaryFrequency) {
        let badge = SupplementaryItem(
            elementKind: "badge", size: Self.whole, containerAnchor: Anchor(edges: .bottom), occurrence: occurrence)
        var cell = Self.cell(.absolute(1))
        cell.supplementaryItems = Array(repeating: badge, count: 4)
        func content(_ count: Int) -> SectionContent { SectionContent(layout: LayoutSection(.group(cell)), itemCount: count) }
        #expect(Self.error([content(30_000), content(20_000)]) == nil)
        #expect(Self.error([content(30_000), content(20_001)]) == LayoutError(.tooManyItems, section: 1))
    }

    @Test("The number of pages of a scroller is limited")
    func pages() throws {
        var shelf = LayoutSection(.group(Self.cell(.absolute(1e9))))
        shelf.orthogonalScrollingBehavior = .paging
        #expect(Self.error([SectionContent(layout: shelf, itemCount: 1_000)])?.code == .tooManyItems)
    }

    @Test("Solving nested uniform groups with measurements ends in time with an error")
    func uniform() {
        var item = LayoutItem(size: LayoutSize(width: .absolute(1), height: .uniformAcrossSiblings(1)))
        for depth in 1...8 {
            let group = LayoutGroup(.horizontal, of: item, fill: depth < 4 ? .times(8) : .times(1))
            item = LayoutItem(.group(group), size: LayoutSize(width: .uniformAcrossSiblings(1), height: .uniformAcrossSiblings(1)))
        }
        let measurements = (0..<100_000).map { MeasuredSize(height: Magnitude(Double($0 % 97 + 1))) }
        let content = SectionContent(layout: LayoutSection(.group(item)), itemCount: 100_000, measurements: measurements)
        #expect(Self.error([content])?.code == .tooManyItems)
    }

    @Test("No layout that can be encoded makes the solver crash or return a non-finite number", arguments: 0..<40)
    func anything(_ batch: UInt64) throws {
        for seed in batch * 25..<batch * 25 + 25 {
            var layouts = RandomLayouts(seed: seed)
            var random = SeededRandom(seed: seed)
            let contents = (0..<3).map { _ in
                let measurements = (0..<20).map { _ in
                    MeasuredSize(width: Bool.random(using: &random) ? 1e9 : nil, height: Magnitude(.random(in: 0...500, using: &random)))
                }
                let count = Int.random(in: 0...200, using: &random)
                return SectionContent(layout: layouts.section(), itemCount: count, measurements: measurements)
            }
            let environment = LayoutEnvironment(
                width: Magnitude(.random(in: 0...1e9, using: &random)) ?? 1, height: Magnitude(.random(in: 0...2e3, using: &random)) ?? 1,
                scale: Scale(.random(in: 0.1...100, using: &random)) ?? 1, layoutDirection: seed % 2 == 0 ? .leftToRight : .rightToLeft)
            let configuration = layouts.configuration()
            guard let page = try? SolvedPage(solving: contents, configuration: configuration, in: environment) else { continue }
            try #require((try? page.json()) != nil, "seed \(seed)")
        }
    }
}

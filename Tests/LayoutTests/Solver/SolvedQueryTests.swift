import TestSupport
import Testing

@testable import Layout

@Suite("Queries of a solved page")
struct SolvedQueryTests {
    @Test("The items in a rectangle are the same as in a search of all frames", arguments: 0..<40, [false, true])
    func items(_ seed: UInt64, isRightToLeft: Bool) throws {
        var layouts = SolvableLayouts(seed: seed)
        let contents = (0..<3).map { _ in layouts.content() }
        let configuration = layouts.configuration()
        let environment = layouts.environment(isRightToLeft ? .rightToLeft : .leftToRight)
        guard let page = try? SolvedPage(solving: contents, configuration: configuration, in: environment) else { return }
        var random = SeededRandom(seed: seed)
        for section in page.sections {
            for _ in 0..<20 {
                let rectangle = Rectangle(
                    x: .random(in: -100...1000, using: &random), y: .random(in: -100...3000, using: &random),
                    width: .random(in: 0...600, using: &random), height: .random(in: 0...900, using: &random))
                let found = section.items(in: rectangle)
                try #require(found == section.frames.indices.filter { section.frames[$0].intersects(rectangle) }, "seed \(seed)")
                let last = section.frames.indices.last { section.frames[$0].contains(x: rectangle.x, y: rectangle.y) }
                try #require(section.item(atX: rectangle.x, y: rectangle.y) == last, "seed \(seed)")
            }
        }
    }

    @Test("The topmost of overlapping cells is hit")
    func overlap() throws {
        let custom = try CustomGroup(frames: [
            .init(x: 0, y: 0, width: 100, height: 100, zIndex: 1), .init(x: 50, y: 50, width: 100, height: 100),
        ])
        let page = try SolvedPage(solving: [.init(layout: .of(.custom(custom), 320, 200), itemCount: 3)], in: .phone)
        #expect(page.item(atX: 75, y: 75).map { [$0.section, $0.item] } == [0, 0])
        #expect(page.item(atX: 120, y: 120)?.item == 1)
        #expect(page.item(atX: 75, y: 275)?.item == 2)
        #expect(page.item(atX: 200, y: 10) == nil)
    }

    @Test("A group that a measurement left without z-indexes is hit too")
    func someGroupsWithoutZIndex() throws {
        let raised = try CustomGroup(frames: [.init(x: 0, y: 0, width: 320, height: 60, zIndex: 5)])
        let size = LayoutSize(width: .fractionalWidth(.whole), height: .absolute(50))
        let row = LayoutItem(size: LayoutSize(width: .fractionalWidth(.whole), height: .estimated(40)))
        let column = try LayoutGroup(.vertical, subitems: [row, LayoutItem(.custom(raised), size: size)])
        let measured = Array(repeating: MeasuredSize.unknown, count: 2) + [MeasuredSize(height: 90)]
        let content = SectionContent(layout: .of(.group(column), 320, 100), itemCount: 3, measurements: measured)
        let page = try SolvedPage(solving: [content], in: .phone)
        #expect(page.sections[0].zIndexes == [0, 5, 0])
        #expect(page.item(atX: 10, y: 95)?.item == 1)
        #expect(page.item(atX: 10, y: 150)?.item == 2)
    }

    @Test("A horizontal scroller shows the items that its offset moves into its window")
    func scroller() throws {
        var shelf = LayoutSection.of(.cell(slot: nil), 100, 50)
        shelf.orthogonalScrollingBehavior = .continuous
        let page = try SolvedPage(solving: [.init(layout: shelf, itemCount: 20), .init(layout: shelf, itemCount: 20)], in: .phone)
        let screen = Rectangle(x: 0, y: 0, width: 320, height: 640)
        let visible = page.items(in: screen, offsets: [250])
        #expect(visible.map(\.section) == [0, 1])
        #expect(visible.map(\.items) == [[2, 3, 4, 5], [0, 1, 2, 3]])
        #expect(page.items(in: Rectangle(x: 0, y: 0, width: 320, height: 50)).map(\.section) == [0])
        #expect(page.item(atX: 10, y: 60, offsets: [0, 1000])?.item == 10)
    }

    @Test("A pinned header stays visible within its section", arguments: [(0, 0), (300, 300), (470, 462), (600, 462), (-50, 0)])
    func pinnedHeader(visibleTop: Double, expected: Double) throws {
        let page = try SolvedPage(solving: [.pinned(.top), .pinned(.top)], in: .phone)
        #expect(page.sections[0].end == 502)
        #expect(page.boundaryFrames(ofSection: 0, visible: visibleTop...visibleTop + 640).map(\.y) == [expected])
    }

    @Test("A pinned footer stays visible within its section", arguments: [(640, 462), (502, 462), (300, 260), (20, 0)])
    func pinnedFooter(visibleBottom: Double, expected: Double) throws {
        let page = try SolvedPage(solving: [.pinned(.bottom)], in: .phone)
        #expect(page.boundaryFrames(ofSection: 0, visible: visibleBottom - 640...visibleBottom).map(\.y) == [expected])
    }

    @Test("A pinned header of the page follows over all sections, and from the other end on a mirrored horizontal page")
    func pinnedPage() throws {
        let header = BoundaryItem(
            elementKind: "header", size: LayoutSize(width: .absolute(40), height: .absolute(40)), alignment: .topLeading,
            pinToVisibleBounds: true)
        var environment = LayoutEnvironment.phone
        let contents = [SectionContent(layout: .of(.cell(slot: nil), 300, 300), itemCount: 10)]
        let downwards = PageConfiguration(boundarySupplementaryItems: [header])
        let down = try SolvedPage(solving: contents, configuration: downwards, in: environment)
        #expect(down.boundaryFrames(visible: 1000...1640).map(\.y) == [1000])
        environment.layoutDirection = .rightToLeft
        let sideways = PageConfiguration(scrollDirection: .horizontal, boundarySupplementaryItems: [header])
        let page = try SolvedPage(solving: contents, configuration: sideways, in: environment)
        #expect(page.contentSize.width == 3040)
        #expect(page.boundaryFrames(visible: 2720...3040).map(\.x) == [3000])
        #expect(page.boundaryFrames(visible: 1000...1320).map(\.x) == [1280])
    }

    @Test("A cell is largest in the middle of its scroller's window")
    func effects() throws {
        var shelf = LayoutSection.of(.cell(slot: nil), 100, 50)
        shelf.orthogonalScrollingBehavior = .continuous
        shelf.effects = [.centerScale(min: 0.7, max: 1.1)]
        let section = try SolvedPage(solving: [.init(layout: shelf, itemCount: 9)], in: .phone).sections[0]
        #expect(section.effects(onItem: 2, at: 90).scale == 1.1)
        #expect(section.effects(onItem: 0, at: 500).scale == 0.7)
        #expect(section.frame(ofItem: 0, at: 500) == Rectangle(x: 15, y: 7.5, width: 70, height: 35))
    }
}

extension LayoutEnvironment {
    fileprivate static let phone = LayoutEnvironment(width: 320, height: 640, scale: 2)
}

extension LayoutSection {
    fileprivate static func of(_ content: LayoutItem.Content, _ width: Magnitude, _ height: Magnitude) -> LayoutSection {
        LayoutSection(.group(LayoutItem(content, size: LayoutSize(width: .absolute(width), height: .absolute(height)))))
    }
}

extension SectionContent {
    /// Returns a section that ends at 502 and has a header or a footer 40 points high.
    fileprivate static func pinned(_ alignment: Alignment) -> SectionContent {
        var layout = LayoutSection.of(.cell(slot: nil), 300, 462)
        layout.boundarySupplementaryItems = [
            BoundaryItem(
                elementKind: "header", size: LayoutSize(width: .fractionalWidth(.whole), height: .absolute(40)), alignment: alignment,
                pinToVisibleBounds: true)
        ]
        return SectionContent(layout: layout, itemCount: 1)
    }
}

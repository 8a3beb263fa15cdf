import Testing

@testable import Layout

@Suite("Effects and measured headers")
struct EffectTests {
    private static let phone = LayoutEnvironment(width: 320, height: 640, scale: 2)

    /// A shelf of cells, each 100 points wide, with boundary items.
    private func page(
        effects: [Effect] = [], _ items: [BoundaryItem] = [], behavior: ScrollingBehavior = .groupPaging, header: MeasuredSize = .unknown,
        footer: MeasuredSize = .unknown, sections: Int = 1, in environment: LayoutEnvironment = phone
    ) throws -> SolvedPage {
        let cell = LayoutItem(size: LayoutSize(width: .fractionalWidth(.whole), height: .fractionalHeight(.whole)))
        let group = LayoutItem(
            .group(LayoutGroup(.horizontal, of: cell)), size: LayoutSize(width: .absolute(100), height: .absolute(50)))
        let section = LayoutSection(
            .group(group), orthogonalScrollingBehavior: behavior, boundarySupplementaryItems: items, effects: effects)
        let content = SectionContent(layout: section, itemCount: 9, header: header, footer: footer)
        return try SolvedPage(solving: Array(repeating: content, count: sections), in: environment)
    }

    private func item(_ kind: Name, _ height: Dimension, _ alignment: Alignment, stretches: Bool = false) -> BoundaryItem {
        var item = BoundaryItem(
            elementKind: kind, size: LayoutSize(width: .fractionalWidth(.whole), height: height), alignment: alignment)
        item.stretchyHeader = stretches
        return item
    }

    @Test("A cell is opaque in the middle, and fades by its distance down to the minimum")
    func fade() throws {
        let section = try page(effects: [.fade(min: 0.25)]).sections[0]
        // The middle of cell 2 is at 250, that of the viewport at offset 90 too. At 10, the distance is a quarter.
        #expect(section.effects(onItem: 2, at: 90).opacity == 1)
        #expect(section.effects(onItem: 2, at: 10).opacity == 0.8125)
        #expect(section.effects(onItem: 0, at: 900).opacity == 0.25)
        #expect(section.effects(onItem: 2, at: 10).scale == 1)
        let free = try page(effects: [.fade(min: 0.25)], behavior: .none).sections[0]
        #expect(free.effects(onItem: 8, at: 0) == CellEffects())
    }

    @Test("The content of a cell moves against the scrolling by its distance from the middle")
    func parallax() throws {
        let section = try page(effects: [.parallax(factor: 0.5)]).sections[0]
        #expect(section.effects(onItem: 2, at: 90).contentOffset == 0)
        #expect(section.effects(onItem: 2, at: 10).contentOffset == -40)
        #expect(section.effects(onItem: 2, at: 150).contentOffset == 30)
        #expect(section.frame(ofItem: 2, at: 10) == section.frames[2])
    }

    @Test("Effects of the same kind combine")
    func combined() throws {
        let all: [Effect] = [.fade(min: 0.5), .centerScale(min: 0.5, max: 1.1), .fade(min: 0.5), .parallax(factor: 1)]
        let section = try page(effects: all).sections[0]
        let effects = section.effects(onItem: 0, at: 370)
        #expect(effects == CellEffects(scale: 0.5, opacity: 0.25, contentOffset: 480))
    }

    @Test("A stretchy header of the first section fills the area above the page")
    func stretchyHeader() throws {
        let header = item("header", .absolute(40), .top, stretches: true)
        let page = try page([header], sections: 2)
        #expect(page.boundaryFrames(ofSection: 0, visible: -60...580) == [Rectangle(x: 0, y: -60, width: 320, height: 100)])
        #expect(page.boundaryFrames(ofSection: 0, visible: 0...640) == [Rectangle(x: 0, y: 0, width: 320, height: 40)])
        #expect(page.boundaryFrames(ofSection: 0, visible: 30...670) == [Rectangle(x: 0, y: 0, width: 320, height: 40)])
        #expect(page.boundaryFrames(ofSection: 1, visible: -60...580) == [Rectangle(x: 0, y: 90, width: 320, height: 40)])
        var pinned = header
        pinned.pinToVisibleBounds = true
        let both = try self.page([pinned])
        #expect(both.boundaryFrames(ofSection: 0, visible: -60...580).map(\.height) == [100])
        #expect(both.boundaryFrames(ofSection: 0, visible: 20...660) == [Rectangle(x: 0, y: 20, width: 320, height: 40)])
    }

    @Test("A page indicator shows the nearest resting offset, in both directions")
    func pageIndicator() throws {
        let indicator = item(.pageIndicator, .absolute(20), .bottom)
        let scroller = try #require(try page([indicator]).sections[0].scroller)
        #expect(Array(scroller.restingOffsets) == [0, 100, 200, 300, 400, 500, 580])
        #expect([-90, 0, 49, 50, 51, 149, 545, 9_999].map { scroller.page(at: $0) } == [0, 0, 0, 0, 1, 1, 6, 6])
        var environment = Self.phone
        environment.layoutDirection = .rightToLeft
        let mirrored = try #require(try page([indicator], in: environment).sections[0].scroller)
        #expect(mirrored.page(at: mirrored.initialOffset) == 0)
        #expect(mirrored.page(at: 0) == 6)
        #expect(try page([indicator], behavior: .continuous).sections[0].scroller?.page(at: 80) == nil)
    }

    @Test("Measured headers and footers replace their estimates, and the section moves with them")
    func measured() throws {
        let items = [item("header", .estimated(40), .top), item("footer", .estimated(30), .bottom), item("badge", .estimated(10), .bottom)]
        let estimated = try page(items).sections[0]
        #expect(estimated.frames[0].y == 40)
        #expect(estimated.extent == 120)
        #expect(estimated.isEstimated)
        let measured = try page(items, header: MeasuredSize(height: 72), footer: MeasuredSize(height: 5)).sections[0]
        #expect(measured.frames[0].y == 72)
        #expect(measured.boundaryItems.map(\.frame.height) == [72, 5, 10])
        #expect(measured.extent == 132)
    }

    @Test("A measurement changes only estimated sides")
    func fixed() throws {
        let items = [item("header", .absolute(40), .top)]
        let section = try page(items, header: MeasuredSize(width: 50, height: 72)).sections[0]
        #expect(section.boundaryItems.map(\.frame) == [Rectangle(x: 0, y: 0, width: 320, height: 40)])
        #expect(!section.isEstimated)
    }

    @Test("A uniform header and a uniform footer are as high as the higher one")
    func uniform() throws {
        let items = [item("header", .uniformAcrossSiblings(40), .top), item("footer", .uniformAcrossSiblings(40), .bottom)]
        let section = try page(items, header: MeasuredSize(height: 72)).sections[0]
        #expect(section.boundaryItems.map(\.frame.height) == [72, 72])
        #expect(section.extent == 194)
    }
}

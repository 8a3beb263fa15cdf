import Testing

@testable import Layout

@Suite("Properties of every solution")
struct SolverPropertyTests {
    /// Returns the page of a seed, or nil if its layouts cannot be solved.
    private func solve(_ seed: UInt64, _ direction: LayoutEnvironment.LayoutDirection = .leftToRight) -> SolvedPage? {
        var layouts = SolvableLayouts(seed: seed)
        let contents = (0..<3).map { _ in layouts.content() }
        let configuration = layouts.configuration()
        let environment = layouts.environment(direction)
        return try? SolvedPage(solving: contents, configuration: configuration, in: environment)
    }

    @Test("More than half of the random layouts can be solved")
    func solvable() {
        #expect((0..<300).count { solve($0) != nil } > 150)
    }

    @Test("Cells are inside their groups unless an overflow was reported", arguments: 0..<60)
    func inside(_ batch: UInt64) throws {
        for seed in batch * 10..<batch * 10 + 10 {
            for section in solve(seed)?.sections ?? [] where section.warnings.isDisjoint(with: [.overflow, .crossOverflow]) {
                for (index, group) in section.groupFrames.enumerated() {
                    for frame in section.itemRange(ofGroup: index).map({ section.frames[$0] }) where frame.width > 0 && frame.height > 0 {
                        // The tolerance of fitting is half a pixel for each level.
                        let slack = 4 * 0.5
                        try #require(frame.x >= group.x - slack && frame.maxX <= group.maxX + slack, "seed \(seed)")
                        try #require(frame.y >= group.y - slack && frame.maxY <= group.maxY + slack, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("Each item has one frame, and all groups but the last have every slot filled", arguments: 0..<60)
    func slots(_ batch: UInt64) throws {
        for seed in batch * 10..<batch * 10 + 10 {
            var layouts = SolvableLayouts(seed: seed)
            let content = layouts.content()
            guard let section = try? SolvedPage(solving: [content], in: layouts.environment()).sections[0] else { continue }
            try #require(section.frames.count == content.itemCount, "seed \(seed)")
            let ranges = section.groupFrames.indices.map { section.itemRange(ofGroup: $0) }
            try #require(ranges.flatMap { $0 } == Array(0..<content.itemCount), "seed \(seed)")
            if section.firstItems.isEmpty, content.itemCount > 0 {
                try #require(section.groupFrames.count == (content.itemCount + section.slotsPerGroup - 1) / section.slotsPerGroup)
            }
        }
    }

    @Test("Mirroring twice changes nothing, and right to left is the mirror of left to right", arguments: 0..<60)
    func mirrored(_ batch: UInt64) throws {
        for seed in batch * 10..<batch * 10 + 10 {
            guard let page = solve(seed), var back = solve(seed, .rightToLeft) else { continue }
            var layouts = SolvableLayouts(seed: seed)
            for _ in 0..<3 { _ = layouts.content() }
            _ = layouts.configuration()
            back.mirror(within: max(back.contentSize.width, layouts.environment().width.value))
            for (a, b) in zip(page.sections, back.sections) {
                try #require(zip(a.frames, b.frames).allSatisfy { $0.isClose(to: $1) }, "seed \(seed)")
                try #require(zip(a.groupFrames, b.groupFrames).allSatisfy { $0.isClose(to: $1) }, "seed \(seed)")
                try #require(a.frame.isClose(to: b.frame), "seed \(seed)")
                let (rests, others) = (a.scroller?.restingOffsets ?? [], b.scroller?.restingOffsets ?? [])
                try #require(rests.count == others.count && zip(rests, others).allSatisfy { abs($0 - $1) < 1e-6 }, "seed \(seed)")
            }
        }
    }

    @Test("A layout of fractions doubles its frames on a screen of twice the size", arguments: 0..<60)
    func scaled(_ batch: UInt64) throws {
        for seed in batch * 10..<batch * 10 + 10 {
            var layouts = SolvableLayouts(seed: seed, isFractional: true)
            let content = layouts.content()
            var (small, large) = (layouts.environment(), layouts.environment())
            // Half a pixel is twice as large on a screen of half the scale, so that the same children fit.
            small.scale = 2
            large.scale = 1
            large.width = try #require(Magnitude(small.width.value * 2))
            large.height = try #require(Magnitude(small.height.value * 2))
            let pages = [small, large].map { try? SolvedPage(solving: [content], in: $0) }
            try #require((pages[0] == nil) == (pages[1] == nil), "seed \(seed)")
            guard let one = pages[0]?.sections[0], let two = pages[1]?.sections[0] else { continue }
            // A factor of two is exact in binary.
            try #require(Array(one.frames.map(\.doubled)) == Array(two.frames), "seed \(seed)")
            try #require(Array(one.groupFrames.map(\.doubled)) == Array(two.groupFrames), "seed \(seed)")
        }
    }

    @Test("A clamped cell ends at the end of its column", arguments: [99, 100, 101, 400])
    func clamped(measured: Double) throws {
        let size = LayoutSize(width: .fractionalWidth(.whole), height: .estimated(40))
        let cell = LayoutItem(size: size, contentInsets: Insets(top: 5, bottom: 5))
        let column = LayoutItem(
            .group(LayoutGroup(.vertical, of: cell)), size: LayoutSize(width: .fractionalWidth(.whole), height: .absolute(100)))
        let content = SectionContent(
            layout: LayoutSection(.group(column)), itemCount: 1, measurements: [MeasuredSize(height: Magnitude(measured))])
        let page = try SolvedPage(solving: [content], in: LayoutEnvironment(width: 320, height: 640, scale: 2))
        #expect(page.sections[0].frames[0] == Rectangle(x: 0, y: 0, width: 320, height: min(measured, 100)))
    }

    @Test("The same input has the same solution", arguments: 0..<20)
    func deterministic(_ seed: UInt64) {
        let (one, two) = (solve(seed), solve(seed))
        #expect(one?.sections.map(\.frames) == two?.sections.map(\.frames), "seed \(seed)")
    }
}

extension Rectangle {
    fileprivate func isClose(to other: Rectangle) -> Bool {
        abs(x - other.x) < 1e-6 && abs(y - other.y) < 1e-6 && abs(width - other.width) < 1e-6 && abs(height - other.height) < 1e-6
    }

    fileprivate var doubled: Rectangle { Rectangle(x: x * 2, y: y * 2, width: width * 2, height: height * 2) }
}

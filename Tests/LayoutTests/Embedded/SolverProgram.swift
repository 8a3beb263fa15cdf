// Solves random layouts at every text size and prints a digest of the frames of each. `scripts/embedded` compiles it
// with the solver as an ordinary program and as Embedded Swift, and compares what the two print.

@main
struct SolverProgram {
    static func main() {
        let count = 10_000
        var solved = 0
        for seed in 0..<UInt64(count) {
            var random = RandomPages(seed: seed)
            let page = random.page()
            var line = String(seed)
            for textSize in TextSize.allCases {
                var environment = page.environment
                environment.textSize = textSize
                line += " " + digest(of: page, in: environment, &solved)
            }
            print(line)
        }
        print("solved \(solved) of \(count * TextSize.allCases.count)")
    }

    private static func digest(of page: RandomPages.Page, in environment: LayoutEnvironment, _ solved: inout Int) -> String {
        var digest = FrameDigest()
        do throws(LayoutError) {
            digest.add(try SolvedPage(solving: page.contents(in: environment), configuration: page.configuration, in: environment))
            solved += 1
            return String(digest.value, radix: 16)
        } catch {
            return code(of: error)
        }
    }

    private static func code(of error: LayoutError) -> String {
        switch error.code {
        case .noRoom: "noRoom"
        case .zeroExtent: "zeroExtent"
        case .tooManySlots: "tooManySlots"
        case .tooManySubitems: "tooManySubitems"
        case .oneSubitem: "oneSubitem"
        case .tooDeep: "tooDeep"
        case .emptyGroup: "emptyGroup"
        case .tooManyItems: "tooManyItems"
        }
    }
}

/// An FNV-1a hash of the exact bits of numbers.
struct FrameDigest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: Double) { add(number.bitPattern) }

    mutating func add(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { value = (value ^ (word >> shift & 0xFF)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ frame: Rectangle) {
        for number in [frame.x, frame.y, frame.width, frame.height] { add(number) }
    }

    mutating func add(_ page: SolvedPage) {
        add(page.contentSize.width)
        add(page.contentSize.height)
        for index in page.sections.indices {
            let section = page.sections[index]
            add(section.frame)
            for frame in section.frames { add(frame) }
            for frame in section.groupFrames { add(frame) }
            for item in section.supplementaryItems { add(item.frame) }
            for item in section.decorationItems { add(item.frame) }
            for offset in [-40, 0, 300.0] {
                for frame in page.boundaryFrames(ofSection: index, visible: offset...offset + 600) { add(frame) }
                for item in section.frames.indices.prefix(6) {
                    let effects = section.effects(onItem: item, at: offset)
                    for number in [effects.scale, effects.opacity, effects.contentOffset] { add(number) }
                }
                add(UInt64(bitPattern: Int64(section.scroller?.page(at: offset) ?? -1)))
            }
            for offset in section.scroller?.restingOffsets ?? [] { add(offset) }
            add(UInt64(section.warnings.rawValue))
        }
    }
}

/// A generator of pages whose sections have variants for text sizes and screens.
struct RandomPages {
    struct Section {
        let layout: LayoutSection
        let variants: [(condition: Condition, layout: LayoutSection)]
        let itemCount: Int
        let measurements: [MeasuredSize]
        let header: MeasuredSize
        let footer: MeasuredSize
    }

    struct Page {
        let sections: [Section]
        let configuration: PageConfiguration
        let environment: LayoutEnvironment

        func contents(in environment: LayoutEnvironment) -> [SectionContent] {
            sections.map { section in
                let variant = section.variants.first { $0.condition.holds(in: environment) }
                return SectionContent(
                    layout: variant?.layout ?? section.layout, itemCount: section.itemCount, measurements: section.measurements,
                    newItems: [true, false, true], header: section.header, footer: section.footer)
            }
        }
    }

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func page() -> Page {
        let sections = (0..<1 + below(2)).map { _ in section() }
        let configuration = PageConfiguration(
            scrollDirection: chance(6) ? .horizontal : .vertical, interSectionSpacing: length(0, 30),
            boundarySupplementaryItems: chance(5) ? [boundaryItem()] : [])
        let environment = LayoutEnvironment(
            width: length(320, 1366), height: length(480, 1366), scale: chance(2) ? 2 : 3,
            horizontalSizeClass: chance(2) ? .regular : .compact, verticalSizeClass: chance(4) ? .compact : .regular,
            layoutDirection: chance(3) ? .rightToLeft : .leftToRight,
            safeArea: EdgeLengths(leading: length(0, 44), trailing: length(0, 44)))
        return Page(sections: sections, configuration: configuration, environment: environment)
    }

    private mutating func section() -> Section {
        let layout = layout()
        let variants = (0..<below(4)).map { _ in (condition: condition(), layout: self.layout()) }
        let count = below(30)
        let measurements = (0..<below(count + 1)).map { _ in measurement() }
        return Section(
            layout: layout, variants: variants, itemCount: count, measurements: measurements, header: measurement(), footer: measurement())
    }

    private mutating func condition() -> Condition {
        let (low, high) = (textSize(), textSize())
        return Condition(
            horizontalSizeClass: chance(4) ? .regular : nil, verticalSizeClass: chance(6) ? .compact : nil,
            minWidth: chance(4) ? length(300, 1400) : nil, maxHeight: chance(4) ? length(400, 1400) : nil,
            minTextSize: chance(2) ? min(low, high) : nil, maxTextSize: chance(3) ? max(low, high) : nil)
    }

    private mutating func layout() -> LayoutSection {
        var section = LayoutSection(chance(6) ? .list(ListLayout(rowHeight: dimension())) : .group(group(depth: 1 + below(3))))
        section.contentInsets = insets()
        section.interGroupSpacing = length(0, 20)
        let behaviors = ScrollingBehavior.allCases
        section.orthogonalScrollingBehavior = chance(2) ? .none : behaviors[below(behaviors.count)]
        section.boundarySupplementaryItems = (0..<below(3)).map { _ in boundaryItem() }
        if chance(3) { section.decorationItems = [DecorationItem(elementKind: "background", contentInsets: insets())] }
        if chance(2) { section.effects.append(.fade(min: 0.25)) }
        if chance(2) { section.effects.append(.parallax(factor: -0.3)) }
        if chance(3) { section.effects.append(.centerScale(min: 0.7, max: 1.1)) }
        return section
    }

    private mutating func boundaryItem() -> BoundaryItem {
        let kinds: [Name] = ["header", "footer", "pageIndicator"]
        let alignments = Alignment.allCases
        var item = BoundaryItem(
            elementKind: kinds[below(3)], size: LayoutSize(width: dimension(), height: dimension()),
            alignment: alignments[below(alignments.count)])
        item.extendsBoundary = chance(2)
        item.pinToVisibleBounds = chance(2)
        item.stretchyHeader = chance(2)
        return item
    }

    private mutating func group(depth: Int) -> LayoutItem {
        let children = (0..<1 + below(3)).map { _ in depth > 1 && chance(2) ? group(depth: depth - 1) : cell() }
        let fill: Fill = children.count > 1 || chance(2) ? .repeat : chance(2) ? .equal(3) : .times(2)
        let gap: Spacing = chance(2) ? .fixed(length(0, 12)) : .flexible(length(0, 12))
        do throws(LayoutError) {
            let group = try LayoutGroup(chance(2) ? .horizontal : .vertical, subitems: children, fill: fill, interItemSpacing: gap)
            return LayoutItem(.group(group), size: LayoutSize(width: dimension(), height: dimension()), contentInsets: insets())
        } catch {
            return cell()
        }
    }

    private mutating func cell() -> LayoutItem {
        var item = LayoutItem(size: LayoutSize(width: dimension(), height: dimension()), contentInsets: insets())
        if chance(8) {
            item.supplementaryItems = [
                SupplementaryItem(
                    elementKind: "badge", size: LayoutSize(width: .absolute(20), height: .absolute(20)),
                    containerAnchor: Anchor(edges: [.top, .trailing]), occurrence: .firstOf(3))
            ]
        }
        return item
    }

    private mutating func dimension() -> Dimension {
        let fraction: Fraction = chance(2) ? .ratio(.one(of: 1 + below(6))) : .decimal(0.33)
        return switch below(7) {
        case 0, 1: .fractionalWidth(fraction)
        case 2, 3: .fractionalHeight(fraction)
        case 4: .absolute(length(20, 150))
        case 5: .estimated(length(20, 150))
        default: .uniformAcrossSiblings(length(20, 150))
        }
    }

    private mutating func measurement() -> MeasuredSize {
        chance(2) ? .unknown : MeasuredSize(width: chance(2) ? length(10, 200) : nil, height: length(10, 200))
    }

    private mutating func textSize() -> TextSize { TextSize.allCases[below(TextSize.allCases.count)] }

    private mutating func insets() -> Insets { chance(2) ? .zero : Insets(top: 2.5, leading: 5, bottom: 3, trailing: 1) }

    private mutating func length(_ low: Int, _ high: Int) -> Magnitude { Magnitude(Double(low + below(high - low + 1))) ?? 0 }

    private mutating func chance(_ times: Int) -> Bool { below(times) == 0 }

    /// The next number of a SplitMix64 generator, reduced.
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}

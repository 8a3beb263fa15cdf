import TestSupport

@testable import Layout

/// A generator of random layouts. Most of them cannot be solved, but all can be encoded.
struct RandomLayouts {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func section() -> LayoutSection {
        var section = LayoutSection(chance(8) ? .list(list()) : .group(group(depth: .random(in: 1...4, using: &random))))
        section.contentInsets = insets()
        section.contentInsetsReference = one(of: [.automatic, .none, .safeArea, .layoutMargins, .readableContent])
        section.supplementaryContentInsetsReference = one(of: [.automatic, .none])
        section.interGroupSpacing = magnitude()
        section.orthogonalScrollingBehavior = one(of: [
            .none, .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
        ])
        section.orthogonalScrollingProperties.bounce = one(of: [.automatic, .always, .never])
        section.orthogonalScrollingProperties.decelerationRate = one(of: [.automatic, .normal, .fast])
        section.boundarySupplementaryItems = several { $0.boundaryItem() }
        section.decorationItems = several {
            DecorationItem(
                elementKind: $0.name(), contentInsets: $0.insets(), zIndex: $0.plane(), fill: $0.chance(2) ? $0.fill() : nil,
                cornerRadius: $0.chance(2) ? $0.magnitude() : 0)
        }
        section.effects = several { $0.one(of: [.centerScale(min: 0.5, max: 1.25), .fade(min: 0.25), .parallax(factor: -0.5)]) }
        return section
    }

    mutating func configuration() -> PageConfiguration {
        PageConfiguration(
            scrollDirection: one(of: [.horizontal, .vertical]), interSectionSpacing: magnitude(),
            contentInsetsReference: one(of: [.automatic, .none, .readableContent]),
            boundarySupplementaryItems: several { $0.boundaryItem() })
    }

    private mutating func group(depth: Int) -> LayoutItem {
        if chance(6) {
            let frames = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                CustomGroup.Frame(x: coordinate(), y: coordinate(), width: magnitude(), height: magnitude(), zIndex: plane())
            }
            if let custom = try? CustomGroup(frames: frames) { return item(.custom(custom)) }
        }
        let children = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            depth > 1 && !chance(3) ? group(depth: depth - 1) : item(.cell(slot: chance(2) ? name() : nil))
        }
        let fill: Fill = children.count > 1 ? .repeat : one(of: [.repeat, .equal(3), .times(2)])
        guard
            let group = try? LayoutGroup(one(of: [.horizontal, .vertical]), subitems: children, fill: fill, interItemSpacing: spacing())
        else { return item(.group(LayoutGroup(.vertical, of: LayoutItem(size: size())))) }
        return item(.group(group))
    }

    private mutating func item(_ content: LayoutItem.Content) -> LayoutItem {
        LayoutItem(
            content, size: size(), contentInsets: insets(),
            edgeSpacing: chance(2) ? .zero : EdgeSpacing(top: spacing(), leading: spacing(), bottom: spacing(), trailing: spacing()),
            supplementaryItems: several { $0.supplementary() })
    }

    private mutating func supplementary() -> SupplementaryItem {
        SupplementaryItem(
            elementKind: name(), size: size(), containerAnchor: anchor(), itemAnchor: chance(2) ? anchor() : nil, zIndex: plane(),
            occurrence: one(of: [.always, .firstOf(5), SupplementaryFrequency(every: 3, phase: 2, isForNewItems: true) ?? .always]))
    }

    private mutating func anchor() -> Anchor {
        let offset = Offset(x: coordinate(), y: 1)
        return Anchor(
            edges: Edges(rawValue: .random(in: 0...15, using: &random)), offset: chance(2) ? .absolute(offset) : .fractional(offset))
    }

    private mutating func boundaryItem() -> BoundaryItem {
        var item = BoundaryItem(
            elementKind: chance(3) ? .pageIndicator : name(), size: size(),
            alignment: one(of: [.top, .topLeading, .topTrailing, .bottom, .bottomLeading, .bottomTrailing, .leading, .trailing]),
            offset: Offset(x: coordinate(), y: coordinate()), extendsBoundary: chance(2), pinToVisibleBounds: chance(2),
            contentInsets: insets(), zIndex: plane())
        item.stretchyHeader = item.alignment.edges.contains(.top) && chance(2)
        return item
    }

    private mutating func color() -> LayoutColor {
        chance(2) ? .token(one(of: ["accent", "card2"])) : .rgb(UInt32.random(in: 0...0xFFFFFF, using: &random))
    }

    private mutating func fill() -> ColorFill {
        let colors = (0..<Int.random(in: Gradient.colorCount, using: &random)).map { _ in color() }
        guard chance(2), let gradient = Gradient(colors, along: one(of: [.horizontal, .vertical])) else { return .color(color()) }
        return .gradient(gradient)
    }

    private mutating func separators() -> ListLayout.Separators {
        ListLayout.Separators(
            visibility: one(of: [.automatic, .visible, .hidden]), color: chance(2) ? color() : nil, insets: insets())
    }

    private mutating func list() -> ListLayout {
        ListLayout(
            appearance: one(of: [.plain, .grouped, .insetGrouped, .sidebar, .sidebarPlain]), showsSeparators: chance(2),
            headerMode: one(of: [.none, .supplementary, .firstItemInSection]), footerMode: one(of: [.none, .supplementary]),
            headerTopPadding: chance(2) ? magnitude() : nil, rowHeight: dimension(), leadingSwipeActions: several { $0.name() },
            trailingSwipeActions: several { $0.name() }, separators: chance(2) ? separators() : .standard,
            background: chance(2) ? color() : nil, rowBackground: chance(2) ? color() : nil)
    }

    private mutating func size() -> LayoutSize { LayoutSize(width: dimension(), height: dimension()) }

    private mutating func dimension() -> Dimension {
        let fraction: Fraction = chance(2) ? .decimal(magnitude()) : .ratio(Ratio(.random(in: 0...9, using: &random), 7) ?? .one(of: 3))
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .fractionalWidth(fraction)
        case 1: .fractionalHeight(fraction)
        case 2: .absolute(magnitude())
        case 3: .estimated(magnitude())
        default: .uniformAcrossSiblings(magnitude())
        }
    }

    private mutating func insets() -> Insets {
        chance(3) ? Insets(top: one(of: [0, 1, 2.5, 1e9]), leading: one(of: [0, 8]), bottom: one(of: [0, 3]), trailing: 0) : .zero
    }

    private mutating func spacing() -> Spacing { chance(2) ? .fixed(magnitude()) : .flexible(magnitude()) }

    private mutating func magnitude() -> Magnitude { Magnitude(Double(Int.random(in: 0...40_000, using: &random)) / 32) ?? 0 }

    private mutating func coordinate() -> Coordinate { Coordinate(Double(Int.random(in: -4_000...4_000, using: &random)) / 8) ?? 0 }

    private mutating func plane() -> Int { .random(in: -3...3, using: &random) }

    private mutating func name() -> Name { one(of: ["header", "badge", "große Kachel", "\u{1F34E}"]) }

    private mutating func several<Value>(_ make: (inout RandomLayouts) -> Value) -> [Value] {
        var values: [Value] = []
        while chance(4), values.count < 3 { values.append(make(&self)) }
        return values
    }

    /// Returns true with a probability of one in the given number.
    private mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }

    private mutating func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
}

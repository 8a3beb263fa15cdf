import TestSupport

@testable import Layout

/// A generator of layouts that usually can be solved: moderate numbers and no custom frames.
struct SolvableLayouts {
    private var random: SeededRandom
    /// Whether every size is a fraction, without insets and gaps.
    private let isFractional: Bool

    init(seed: UInt64, isFractional: Bool = false) {
        random = SeededRandom(seed: seed)
        self.isFractional = isFractional
    }

    mutating func content() -> SectionContent {
        let count = Int.random(in: 0...40, using: &random)
        let behaviors: [ScrollingBehavior] = [
            .none, .none, .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered,
        ]
        let section = LayoutSection(
            .group(group(depth: .random(in: 1...3, using: &random))), contentInsets: insets(), interGroupSpacing: length(0...20),
            orthogonalScrollingBehavior: one(of: behaviors))
        let measurements = (0..<(isFractional ? 0 : Int.random(in: 0...count, using: &random))).map { _ in
            chance(2) ? MeasuredSize.unknown : MeasuredSize(width: length(10...200), height: length(10...200))
        }
        return SectionContent(layout: section, itemCount: count, measurements: measurements)
    }

    mutating func environment(_ direction: LayoutEnvironment.LayoutDirection = .leftToRight) -> LayoutEnvironment {
        let side = EdgeLengths(leading: length(0...44), trailing: length(0...44))
        return LayoutEnvironment(
            width: length(320...1366), height: length(320...1366), scale: one(of: [1, 2, 3]), layoutDirection: direction,
            safeArea: isFractional ? .zero : side)
    }

    mutating func configuration() -> PageConfiguration {
        PageConfiguration(scrollDirection: one(of: [.vertical, .horizontal]), interSectionSpacing: length(0...30))
    }

    private mutating func group(depth: Int) -> LayoutItem {
        let children = (0..<Int.random(in: 1...3, using: &random)).map { _ in depth > 1 && chance(2) ? group(depth: depth - 1) : cell() }
        let fill: Fill = children.count > 1 ? .repeat : one(of: [.repeat, .repeat, .equal(3), .times(2)])
        let axis: Axis = one(of: [.horizontal, .vertical])
        let gap: Spacing = one(of: [.zero, .fixed(length(0...12)), .flexible(length(0...12))])
        guard let group = try? LayoutGroup(axis, subitems: children, fill: fill, interItemSpacing: isFractional ? .zero : gap)
        else { return cell() }
        return LayoutItem(.group(group), size: size(), contentInsets: insets(), edgeSpacing: edges())
    }

    private mutating func cell() -> LayoutItem { LayoutItem(size: size(), contentInsets: insets(), edgeSpacing: edges()) }

    private mutating func size() -> LayoutSize { LayoutSize(width: dimension(), height: dimension()) }

    private mutating func dimension() -> Dimension {
        let fraction: Fraction = chance(2) ? .ratio(Ratio(.random(in: 1...6, using: &random), 6) ?? .one(of: 3)) : .decimal(0.33)
        return switch Int.random(in: 0..<(isFractional ? 4 : 7), using: &random) {
        case 0, 1: .fractionalWidth(fraction)
        case 2, 3: .fractionalHeight(fraction)
        case 4: .absolute(length(20...150))
        case 5: .estimated(length(20...150))
        default: .uniformAcrossSiblings(length(20...150))
        }
    }

    private mutating func insets() -> Insets {
        guard !isFractional, chance(2) else { return .zero }
        return Insets(top: one(of: [0, 1, 2.5]), leading: one(of: [0, 5]), bottom: one(of: [0, 3]), trailing: one(of: [0, 1]))
    }

    private mutating func edges() -> EdgeSpacing {
        guard !isFractional, chance(4) else { return .zero }
        return EdgeSpacing(top: .fixed(length(0...5)), leading: .flexible(length(0...5)), trailing: .flexible(0))
    }

    private mutating func length(_ range: ClosedRange<Int>) -> Magnitude {
        isFractional && range.lowerBound == 0 ? 0 : Magnitude(Double(Int.random(in: range, using: &random))) ?? 0
    }

    /// Returns true with a probability of one in the given number.
    private mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }

    private mutating func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
}

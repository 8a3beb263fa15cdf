/// How a group's list of children becomes its children.
package enum Fill: Sendable, Hashable {
    /// The list over and over, as long as the next child fits.
    case `repeat`
    /// Copies of the only child that share the group's extent equally.
    case equal(RepeatCount)
    /// Copies of the only child at their own size.
    case times(RepeatCount)

    /// The maximum number of children that a group may list.
    package var mostSubitems: Int {
        switch self {
        case .repeat: LayoutGroup.mostSubitems
        case .equal, .times: 1
        }
    }

    /// A number of copies, at least one; whether the slots are too many is known when they are solved.
    package struct RepeatCount: Sendable, Hashable {
        package let count: Int

        package init?(_ count: Int) {
            guard count >= 1 else { return nil }
            self.count = count
        }
    }
}

extension Fill.RepeatCount: ExpressibleByIntegerLiteral {
    package init(integerLiteral count: Int) {
        precondition(count >= 1)
        self.count = count
    }
}

/// How much smaller the result of a rule may become before it is taken for a mistake.
package enum MaxDrop: Sendable, Hashable {
    /// Of the items before, between 0 and 1.
    case share(Double)
    /// So many items.
    case items(Int)

    package func allows(from before: Int, to after: Int) -> Bool {
        switch self {
        case .share(let share): Double(before - after) <= Double(before) * share
        case .items(let count): before - after <= count
        }
    }
}

/// An order that changes by the clock, so that every item has its turn.
package struct Rotation: Sendable, Hashable {
    /// Two rotations of one seed show the same items in the same order.
    package let seed: String
    package let every: RotationPeriod

    package init(seed: String, every: RotationPeriod) {
        self.seed = seed
        self.every = every
    }
}

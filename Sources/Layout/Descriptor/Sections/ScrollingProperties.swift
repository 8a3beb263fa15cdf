/// How a section's scroller feels; nothing of it changes a frame.
package struct ScrollingProperties: Sendable, Hashable {
    package enum Bounce: Sendable, Hashable { case automatic, always, never }
    package enum DecelerationRate: Sendable, Hashable { case automatic, normal, fast }

    package var bounce: Bounce
    package var decelerationRate: DecelerationRate

    package static let automatic = ScrollingProperties()

    package init(bounce: Bounce = .automatic, decelerationRate: DecelerationRate = .automatic) {
        self.bounce = bounce
        self.decelerationRate = decelerationRate
    }
}

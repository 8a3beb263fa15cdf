/// What becomes of cells while their section scrolls.
package enum Effect: Sendable, Hashable {
    /// A cell grows towards the middle of the viewport, from `min` to `max` times its size.
    case centerScale(min: Magnitude, max: Magnitude)
}

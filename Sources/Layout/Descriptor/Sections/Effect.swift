/// A change of cells while their section scrolls across the page.
///
/// The distance of a cell is that of its middle from the middle of the viewport, in extents of the viewport.
package enum Effect: Sendable, Hashable {
    /// A cell has `max` times its size in the center of the viewport. The factor decreases by the distance, down to
    /// `min`.
    case centerScale(min: Magnitude, max: Magnitude)
    /// A cell is opaque in the center of the viewport. At a distance of 1 or more, its opacity is `min`.
    case fade(min: Magnitude)
    /// The content of a cell moves by `factor` times its distance in points, against the scrolling.
    case parallax(factor: Coordinate)
}

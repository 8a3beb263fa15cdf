/// When a variant takes the place of a section's layout.
package enum Condition: Sendable, Hashable {
    case horizontalSizeClass(LayoutEnvironment.SizeClass)
    /// At least so many points wide.
    case minWidth(Magnitude)
    /// At most so many points wide.
    case maxWidth(Magnitude)

    package func holds(in environment: LayoutEnvironment) -> Bool {
        switch self {
        case .horizontalSizeClass(let sizeClass): environment.horizontalSizeClass == sizeClass
        case .minWidth(let width): environment.width.value >= width.value
        case .maxWidth(let width): environment.width.value <= width.value
        }
    }
}

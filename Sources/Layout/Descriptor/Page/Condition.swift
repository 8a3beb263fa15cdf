/// The condition under which a variant replaces a section's layout. Every stated part must hold.
package struct Condition: Sendable, Hashable {
    package var horizontalSizeClass: LayoutEnvironment.SizeClass?
    package var verticalSizeClass: LayoutEnvironment.SizeClass?
    /// The smallest and the largest width and height of the screen, in points.
    package var minWidth: Magnitude?
    package var maxWidth: Magnitude?
    package var minHeight: Magnitude?
    package var maxHeight: Magnitude?
    package var minTextSize: TextSize?
    package var maxTextSize: TextSize?

    package init(
        horizontalSizeClass: LayoutEnvironment.SizeClass? = nil, verticalSizeClass: LayoutEnvironment.SizeClass? = nil,
        minWidth: Magnitude? = nil, maxWidth: Magnitude? = nil, minHeight: Magnitude? = nil, maxHeight: Magnitude? = nil,
        minTextSize: TextSize? = nil, maxTextSize: TextSize? = nil
    ) {
        self.horizontalSizeClass = horizontalSizeClass
        self.verticalSizeClass = verticalSizeClass
        self.minWidth = minWidth
        self.maxWidth = maxWidth
        self.minHeight = minHeight
        self.maxHeight = maxHeight
        self.minTextSize = minTextSize
        self.maxTextSize = maxTextSize
    }

    package func holds(in environment: LayoutEnvironment) -> Bool {
        (horizontalSizeClass.map { $0 == environment.horizontalSizeClass } ?? true)
            && (verticalSizeClass.map { $0 == environment.verticalSizeClass } ?? true)
            && (minWidth.map { $0.value <= environment.width.value } ?? true)
            && (maxWidth.map { $0.value >= environment.width.value } ?? true)
            && (minHeight.map { $0.value <= environment.height.value } ?? true)
            && (maxHeight.map { $0.value >= environment.height.value } ?? true)
            && (minTextSize.map { $0 <= environment.textSize } ?? true)
            && (maxTextSize.map { $0 >= environment.textSize } ?? true)
    }
}

/// The screen for which a page is solved.
package struct LayoutEnvironment: Sendable, Hashable {
    package enum SizeClass: String, CaseIterable, Sendable { case compact, regular }
    package enum LayoutDirection: String, CaseIterable, Sendable { case leftToRight, rightToLeft }

    package var width: Magnitude
    package var height: Magnitude
    /// The number of pixels per point.
    package var scale: Scale
    package var horizontalSizeClass: SizeClass
    package var verticalSizeClass: SizeClass
    package var textSize: TextSize
    package var layoutDirection: LayoutDirection
    package var safeArea: EdgeLengths
    /// The layout margins. nil uses the safe area.
    package var layoutMargins: EdgeLengths?
    /// The readable content margins. nil uses the layout margins.
    package var readableContent: EdgeLengths?

    package init(
        width: Magnitude, height: Magnitude, scale: Scale = 1, horizontalSizeClass: SizeClass = .compact,
        verticalSizeClass: SizeClass = .regular, textSize: TextSize = .standard,
        layoutDirection: LayoutDirection = .leftToRight, safeArea: EdgeLengths = .zero, layoutMargins: EdgeLengths? = nil,
        readableContent: EdgeLengths? = nil
    ) {
        self.width = width
        self.height = height
        self.scale = scale
        self.horizontalSizeClass = horizontalSizeClass
        self.verticalSizeClass = verticalSizeClass
        self.textSize = textSize
        self.layoutDirection = layoutDirection
        self.safeArea = safeArea
        self.layoutMargins = layoutMargins
        self.readableContent = readableContent
    }
}

/// The number of pixels per point, from a tenth to a hundred.
package struct Scale: Sendable, Hashable {
    package let factor: Double

    package init?(_ factor: Double) {
        guard factor >= 0.1, factor <= 100 else { return nil }
        self.factor = factor
    }

    /// The tolerance of every check whether something fits.
    var halfPixel: Double { 0.5 / factor }
}

extension Scale: ExpressibleByIntegerLiteral {
    package init(integerLiteral factor: Int) {
        precondition((1...100).contains(factor))
        self.factor = Double(factor)
    }
}

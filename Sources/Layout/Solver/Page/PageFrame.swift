struct PageFrame {
    let axis: Axis
    let halfPixel: Double
    private let bounds: Rectangle
    private let environment: LayoutEnvironment
    private let reference: InsetsReference

    init(_ configuration: PageConfiguration, in environment: LayoutEnvironment) {
        axis = configuration.scrollDirection
        halfPixel = environment.scale.halfPixel
        reference = configuration.contentInsetsReference
        self.environment = environment
        bounds = Rectangle(x: 0, y: 0, width: environment.width.value, height: environment.height.value)
    }

    private init(_ page: PageFrame, bounds: Rectangle) {
        (axis, halfPixel, reference, environment) = (page.axis, page.halfPixel, page.reference, page.environment)
        self.bounds = bounds
    }

    /// Returns the bounds without the margins of a section's reference. Only margins across the scrolling direction
    /// count.
    func container(_ reference: InsetsReference = .automatic) -> Rectangle {
        let lengths = environment.lengths(reference == .automatic ? self.reference : reference)
        let (start, end) = (lengths.start(axis.other), lengths.end(axis.other))
        return axis == .vertical
            ? Rectangle(x: bounds.x + start, y: bounds.y, width: bounds.width - start - end, height: bounds.height)
            : Rectangle(x: bounds.x, y: bounds.y + start, width: bounds.width, height: bounds.height - start - end)
    }

    /// Returns the frame without the space of the page's boundary items at its sides.
    func inset(by bands: Bands) -> PageFrame {
        var inner = bounds
        if axis == .vertical {
            inner.x += bands.near
            inner.width -= bands.near + bands.far
        } else {
            inner.y += bands.near
            inner.height -= bands.near + bands.far
        }
        return PageFrame(self, bounds: inner)
    }
}

extension LayoutEnvironment {
    fileprivate func lengths(_ reference: InsetsReference) -> EdgeLengths {
        switch reference {
        case .none: .zero
        case .automatic, .safeArea: safeArea
        case .layoutMargins: layoutMargins ?? safeArea
        case .readableContent: readableContent ?? layoutMargins ?? safeArea
        }
    }
}

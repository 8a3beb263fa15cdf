/// What a client measured of an item; used on the sides that are estimated, nil is not known.
package struct MeasuredSize: Sendable, Hashable {
    package var width: Magnitude?
    package var height: Magnitude?

    package static let unknown = MeasuredSize()

    package init(width: Magnitude? = nil, height: Magnitude? = nil) {
        self.width = width
        self.height = height
    }

    var isKnown: Bool { width != nil || height != nil }
}

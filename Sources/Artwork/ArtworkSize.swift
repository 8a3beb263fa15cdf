package enum ArtworkRole: String, Sendable, CaseIterable {
    /// A square without rounded corners; the client rounds them.
    case icon
    /// A wide picture for the top of a page.
    case hero
    /// A picture in the proportions of a phone.
    case screenshot

    /// The sizes in pixels that are drawn, the smallest first. They have the same proportions.
    package var sizes: [ArtworkSize] {
        let sizes =
            switch self {
            case .icon: [(120, 120), (240, 240), (480, 480), (1_024, 1_024)]
            case .hero: [(640, 360), (1_280, 720), (1_920, 1_080)]
            case .screenshot: [(390, 844), (780, 1_688), (1_170, 2_532)]
            }
        return sizes.map { ArtworkSize(role: self, width: $0.0, height: $0.1) }
    }
}

/// A role of a picture in one of its sizes.
package struct ArtworkSize: Sendable, Hashable {
    package let role: ArtworkRole
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int

    /// Returns the size of a role with a name such as `480x480`; nil if the role is not drawn in this size.
    package init?(_ role: ArtworkRole, named name: some StringProtocol) {
        guard let size = role.sizes.first(where: { $0.name == name }) else { return nil }
        self = size
    }

    fileprivate init(role: ArtworkRole, width: Int, height: Int) {
        (self.role, self.width, self.height) = (role, width, height)
    }

    package var name: String { "\(width)x\(height)" }

    /// The pixels of one unit of the picture. An icon and a hero are 100 units high, a screenshot is 100 units wide.
    var scale: Double { Double(role == .screenshot ? width : height) / 100 }
}

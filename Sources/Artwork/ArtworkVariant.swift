/// The shapes in which the picture of an item comes.
package enum ArtworkVariant: String, Sendable, CaseIterable {
    /// A square that fills its corners; the client rounds them.
    case icon
    /// Wide, for the head of a page.
    case hero
    /// As high as a telephone.
    case screenshot

    /// In pixels, where nothing else is asked for.
    package var size: (width: Int, height: Int) {
        switch self {
        case .icon: (512, 512)
        case .hero: (1_280, 720)
        case .screenshot: (390, 844)
        }
    }
}

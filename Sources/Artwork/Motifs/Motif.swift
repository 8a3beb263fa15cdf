/// What a picture shows; in the order by which an id chooses.
package enum Motif: String, Sendable, CaseIterable {
    case hills, waves, peaks, citrus, crescent
    case blossom, leaves, sail
    case rings, orbit, arches, tiles, bubbles, stripes, cube, pinwheel

    /// The layers above the ground. What is drawn is large enough to be told at 24 pixels.
    func draw(on stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        switch self {
        case .hills: Self.hills(stage, palette, &dice)
        case .waves: Self.waves(stage, palette, &dice)
        case .peaks: Self.peaks(stage, palette, &dice)
        case .sail: Self.sail(stage, palette, &dice)
        case .crescent: Self.crescent(stage, palette, &dice)
        case .blossom: Self.blossom(stage, palette, &dice)
        case .leaves: Self.leaves(stage, palette, &dice)
        case .citrus: Self.citrus(stage, palette, &dice)
        case .rings: Self.rings(stage, palette, &dice)
        case .orbit: Self.orbit(stage, palette, &dice)
        case .arches: Self.arches(stage, palette, &dice)
        case .tiles: Self.tiles(stage, palette, &dice)
        case .bubbles: Self.bubbles(stage, palette, &dice)
        case .stripes: Self.stripes(stage, palette, &dice)
        case .cube: Self.cube(stage, palette, &dice)
        case .pinwheel: Self.pinwheel(stage, palette, &dice)
        }
    }

    /// Faint circles on both sides of what stands in the middle of a wide stage; none on a square.
    static func echoes(_ stage: Canvas, _ palette: Palette) -> [Layer] {
        guard stage.width > stage.height else { return [] }
        return [
            Layer(.circle(Point(x: stage.width * 0.08, y: 82), 46), palette.pale, 0.1),
            Layer(.circle(Point(x: stage.width * 0.94, y: 22), 38), palette.pale, 0.1),
            Layer(.circle(Point(x: stage.width * 0.85, y: 92), 16), palette.bright, 0.22),
        ]
    }
}

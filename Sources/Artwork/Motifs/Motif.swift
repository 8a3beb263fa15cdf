/// The subject of a picture. An ID selects by the order of the cases.
package enum Motif: String, Sendable, CaseIterable {
    case hills, waves, peaks, citrus, crescent
    case blossom, leaves, sail
    case rings, orbit, arches, tiles, bubbles, stripes, cube, pinwheel

    /// Returns the layers above the background. Their shapes are recognizable at 24 pixels.
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

    /// Returns faint circles on both sides of a wide canvas, and none on a square.
    static func echoes(_ stage: Canvas, _ palette: Palette) -> [Layer] {
        guard stage.width > stage.height else { return [] }
        return [
            Layer(.circle(Point(x: stage.width * 0.08, y: 82), 46), palette.pale, 0.1),
            Layer(.circle(Point(x: stage.width * 0.94, y: 22), 38), palette.pale, 0.1),
            Layer(.circle(Point(x: stage.width * 0.85, y: 92), 16), palette.bright, 0.22),
        ]
    }
}

extension Motif {
    static func blossom(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let count = [5, 6, 8][dice.roll(3)]
        let start = Double(dice.roll(4)) / 16 / Double(count) - 0.25
        let width = [16.5, 14.5, 11.5][count == 5 ? 0 : count == 6 ? 1 : 2]
        let petals = (0..<count).map { number in
            let direction = Point(turn: start + Double(number) / Double(count))
            let petal = Path(ellipseAt: stage.center + direction * 23, 20, width, along: direction)
            return Layer(petal, number % 2 == 0 ? palette.pale : palette.pale.mixed(with: palette.bright, 0.25), 0.86)
        }
        return echoes(stage, palette) + petals + [
            Layer(.circle(stage.center, 13), palette.bright), Layer(.circle(stage.center, 6), palette.deep, 0.85),
        ]
    }

    static func leaves(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let root = stage.center + Point(x: 0, y: 38)
        let spread = [0.1, 0.125, 0.15][dice.roll(3)]
        let isBrightInTheMiddle = dice.roll(2) == 0
        let middle = isBrightInTheMiddle ? palette.bright : palette.pale
        let outer = isBrightInTheMiddle ? palette.pale : palette.bright
        return echoes(stage, palette) + [
            Layer(leaf(root, 60, 15, turn: -0.25 - spread), outer, 0.94), Layer(leaf(root, 60, 15, turn: -0.25 + spread), outer, 0.94),
            Layer(leaf(root, 76, 17, turn: -0.25), middle), Layer(leaf(root, 66, 1.8, turn: -0.25), palette.deep, 0.7),
            Layer(Path(ellipseAt: root + Point(x: 0, y: 2), 22, 5), palette.deep),
        ]
    }

    private static func leaf(_ root: Point, _ length: Double, _ width: Double, turn: Double) -> Path {
        let direction = Point(turn: turn)
        let point = { (along: Double, aside: Double) in root + Point(x: along, y: aside).turned(to: direction) }
        var path = Path(from: root)
        path.curve(point(length * 0.25, width * 1.3), point(length * 0.7, width * 1.3), to: point(length, 0))
        path.curve(point(length * 0.7, -width * 1.3), point(length * 0.25, -width * 1.3), to: root)
        return path
    }

    static func citrus(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let count = 6 + dice.roll(3)
        let start = Double(dice.roll(4)) / 64
        let flesh = palette.bright
        let wedges = (0..<count).map { number in
            let part = 1 / Double(count)
            let turn = start + Double(number) * part
            // Keep the corners away from the center and from the adjacent parts.
            let middle = Point(turn: turn + part / 2)
            let first = Point(turn: turn + part * 0.08)
            let second = Point(turn: turn + part * 0.92)
            var path = Path(from: stage.center + middle * 6)
            path.line(to: stage.center + first * 28)
            path.curve(stage.center + first * 31 + middle * 2, stage.center + second * 31 + middle * 2, to: stage.center + second * 28)
            return Layer(path, flesh)
        }
        let leafRoot = stage.center + Point(x: 22, y: -30)
        return echoes(stage, palette) + [
            Layer(leaf(leafRoot, 30, 9, turn: -0.07), palette.deep), Layer(.circle(stage.center, 41), flesh),
            Layer(.circle(stage.center, 35.5), palette.pale),
        ] + wedges
    }
}

extension Motif {
    static func hills(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let sun = Point(x: stage.width * [0.32, 0.5, 0.67][dice.roll(3)], y: 38)
        let shift = Double(dice.roll(5)) * 9
        return [
            Layer(.circle(sun, 27), palette.bright, 0.28), Layer(.circle(sun, 18), palette.bright),
            Layer(swell(stage, at: 60, height: 11, length: 46, shift: shift), palette.deep, 0.34),
            Layer(swell(stage, at: 73, height: 10, length: 38, shift: shift + 25), palette.deep, 0.6),
            Layer(swell(stage, at: 86, height: 8, length: 52, shift: shift + 44), palette.deep),
        ]
    }

    static func waves(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let shift = Double(dice.roll(6)) * 7
        let length = [24.0, 30, 38][dice.roll(3)]
        return [
            Layer(.circle(Point(x: stage.width * 0.72, y: 24), 11), palette.pale),
            Layer(swell(stage, at: 42, height: 9, length: length, shift: shift), palette.pale, 0.38),
            Layer(swell(stage, at: 55, height: 9, length: length, shift: shift + length * 0.6), palette.pale, 0.62),
            Layer(swell(stage, at: 69, height: 9, length: length, shift: shift + length * 1.2), palette.bright),
            Layer(swell(stage, at: 83, height: 9, length: length, shift: shift + length * 1.8), palette.deep),
        ]
    }

    static func peaks(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let isLeft = dice.roll(2) == 0
        let side = { (x: Double) in stage.width / 2 + (isLeft ? x : -x) }
        let mountain = { (x: Double, top: Double) in
            Path([Point(x: side(x), y: top), Point(x: side(x + 108 - top), y: 108), Point(x: side(x - 108 + top), y: 108)])
        }
        let snow = { (x: Double, top: Double, size: Double) in
            Path([
                Point(x: side(x), y: top), Point(x: side(x + size), y: top + size), Point(x: side(x + size * 0.4), y: top + size * 0.78),
                Point(x: side(x), y: top + size * 1.25), Point(x: side(x - size * 0.45), y: top + size * 0.8),
                Point(x: side(x - size), y: top + size),
            ])
        }
        return [
            Layer(.circle(Point(x: side(27), y: 24), 11), palette.bright),
            Layer(mountain(-62, 62), palette.deep, 0.3), Layer(mountain(64, 56), palette.deep, 0.3),
            Layer(mountain(-14, 26), palette.deep, 0.72), Layer(snow(-14, 26, 18), palette.pale),
            Layer(mountain(26, 52), palette.deep), Layer(snow(26, 52, 12), palette.pale, 0.94),
        ]
    }

    static func sail(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let isLeft = dice.roll(2) == 0
        let point = { (x: Double, y: Double) in Point(x: stage.width / 2 + (isLeft ? x : -x), y: y) }
        var large = Path(from: point(3, 12))
        large.curve(point(22, 26), point(31, 44), to: point(32, 62))
        large.line(to: point(3, 62))
        var small = Path(from: point(-2, 22))
        small.curve(point(-8, 38), point(-16, 52), to: point(-25, 62))
        small.line(to: point(-2, 62))
        var hull = Path(from: point(-33, 67))
        hull.line(to: point(37, 67))
        hull.curve(point(34, 78), point(28, 84), to: point(20, 84))
        hull.line(to: point(-16, 84))
        hull.curve(point(-25, 84), point(-30, 77), to: point(-33, 67))
        let shift = Double(dice.roll(4)) * 6
        return [
            Layer(.circle(point(-24, 24), 9), palette.bright, 0.9), Layer(large, palette.pale), Layer(small, palette.bright),
            Layer(hull, palette.deep), Layer(swell(stage, at: 80, height: 6, length: 22, shift: shift), palette.pale, 0.5),
            Layer(swell(stage, at: 89, height: 6, length: 22, shift: shift + 14), palette.ground.dark),
        ]
    }

    static func crescent(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let isLeft = dice.roll(2) == 0
        let point = { (x: Double, y: Double) in Point(x: stage.width / 2 + (isLeft ? x : -x), y: y) }
        let center = point(-4, 50)
        let opening = Point(turn: isLeft ? -0.06 : 0.56)
        let tips = [-0.11, 0.11].map { center + Point(turn: $0).turned(to: opening) * 32 }
        // The outer edge takes the long way between the tips, and the inner edge returns.
        var moon = Path(from: tips[1])
        moon.arc(around: center, turning: 0.78)
        moon.curve(tips[0] - opening * 33, tips[1] - opening * 33, to: tips[1])
        let shift = Double(dice.roll(5)) * 8
        return [
            Layer(moon, palette.bright), Layer(star(point(18, 28), 12), palette.pale), Layer(star(point(30, 56), 7), palette.pale, 0.85),
            Layer(star(point(-32, 18), 6), palette.pale, 0.85),
            Layer(swell(stage, at: 88, height: 7, length: 44, shift: shift), palette.deep, 0.85),
        ]
    }

    private static func star(_ center: Point, _ size: Double) -> Path {
        var path = Path(from: center + Point(x: 0, y: -size))
        for turn in [0.0, 0.25, 0.5, 0.75] {
            let near = center + Point(turn: turn - 0.125) * (size * 0.14)
            path.curve(near, near, to: center + Point(turn: turn) * size)
        }
        return path
    }

    /// Returns the area below a wavy line. `length` is half of a wave.
    static func swell(_ stage: Canvas, at level: Double, height: Double, length: Double, shift: Double) -> Path {
        var x = -shift - length
        while x > -length { x -= 2 * length }
        var path = Path(from: Point(x: x, y: stage.height + 2))
        path.line(to: Point(x: x, y: level))
        var swing = height
        while x < stage.width {
            path.curve(
                Point(x: x + length * 0.37, y: level - swing), Point(x: x + length * 0.63, y: level - swing),
                to: Point(x: x + length, y: level))
            x += length
            swing = -swing
        }
        path.line(to: Point(x: x, y: stage.height + 2))
        return path
    }
}

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
        let place = { (along: Double, aside: Double) in root + Point(x: along, y: aside).turned(to: direction) }
        var path = Path(from: root)
        path.curve(place(length * 0.25, width * 1.3), place(length * 0.7, width * 1.3), to: place(length, 0))
        path.curve(place(length * 0.7, -width * 1.3), place(length * 0.25, -width * 1.3), to: root)
        return path
    }

    static func citrus(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let count = 6 + dice.roll(3)
        let start = Double(dice.roll(4)) / 64
        let flesh = palette.bright
        let wedges = (0..<count).map { number in
            let part = 1 / Double(count)
            let turn = start + Double(number) * part
            // The corners are kept off the middle and off the neighbours.
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

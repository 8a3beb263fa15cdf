extension Motif {
    static func rings(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let drift = Point(turn: Double(dice.roll(8)) / 8) * 2.6
        let colors = [palette.pale, palette.ground.dark, palette.bright, palette.deep, palette.pale]
        return echoes(stage, palette)
            + zip([42.0, 33.5, 25, 16, 7], colors).enumerated().map { number, ring in
                Layer(.circle(stage.center + drift * Double(number), ring.0), ring.1, number == 0 ? 0.9 : 1)
            }
    }

    static func orbit(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let tilt = Point(turn: [-0.07, 0.07, -0.11, 0.11][dice.roll(4)])
        let outer = Path(ellipseAt: stage.center, 44, 15, along: tilt)
        let band = outer.adding(Path(ellipseAt: stage.center, 37.5, 10, along: tilt))
        var front = Path(from: stage.center + tilt * 25)
        front.arc(around: stage.center, turning: -0.5)
        let moon = stage.center + Point(turn: [0.1, 0.38, 0.6, 0.88][dice.roll(4)]) * 40
        let planet = Paint.gradient(
            palette.bright.mixed(with: palette.pale, 0.35), palette.bright, from: stage.center - Point(x: 20, y: 20),
            to: stage.center + Point(x: 20, y: 20))
        return echoes(stage, palette) + [
            Layer(.circle(stage.center, 25), planet), Layer(band, palette.pale),
            // The half of the planet that covers the far side of the ring.
            Layer(front, planet), Layer(.circle(moon, 6), palette.deep),
        ]
    }

    static func arches(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let foot = stage.center + Point(x: 0, y: 26)
        var colors = [palette.bright, palette.pale, palette.ground.dark, palette.deep]
        if dice.roll(2) == 0 { colors.swapAt(0, 1) }
        let arches = zip([43.0, 33, 23, 13], colors).map { radius, color in
            var path = Path(from: foot - Point(x: radius, y: 0))
            path.arc(around: foot, turning: 0.5)
            return Layer(path, color)
        }
        let ground = swell(stage, at: 80, height: 5, length: 60, shift: Double(dice.roll(4)) * 15)
        return echoes(stage, palette) + arches + [Layer(ground, palette.deep)]
    }

    static func tiles(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let size = stage.height / 3
        let columns = Int((stage.width / size).rounded(.up))
        let first = dice.roll(4)
        let step = [1, 3, 5, 7][dice.roll(4)]
        return (0..<3).flatMap { row in
            (0..<columns).map { column in
                let number = row * 3 + column * 2 + row * column
                let turn = (first + number * step) % 4
                let corner = Point(
                    x: (Double(column) + (turn == 1 || turn == 2 ? 1 : 0)) * size, y: (Double(row) + (turn >= 2 ? 1 : 0)) * size)
                var path = Path(from: corner + Point(turn: Double(turn) / 4) * size)
                path.arc(around: corner, turning: 0.25)
                path.line(to: corner)
                return Layer(path, [palette.pale, palette.bright, palette.deep][(row + column) % 3], 0.95)
            }
        }
    }

    static func bubbles(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let turned = Point(turn: Double(dice.roll(8)) / 8)
        let places: [(Double, Double, Double, Color, Double)] = [
            (-9, -6, 29, palette.pale, 0.8), (17, 12, 22, palette.bright, 0.88), (-16, 24, 14, palette.deep, 0.75),
            (22, -22, 11, palette.pale, 0.9), (4, 32, 7, palette.bright, 1),
        ]
        let circles = places.map { x, y, radius, color, opacity in
            Layer(.circle(stage.center + Point(x: x, y: y).turned(to: turned), radius), color, opacity)
        }
        return echoes(stage, palette) + circles
    }

    static func stripes(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let isRising = dice.roll(2) == 0
        let width = [13.0, 16, 19][dice.roll(3)]
        let colors = [palette.pale, palette.bright, palette.deep]
        // A band from the lower edge to the upper one, at 45 degrees.
        let band = { (left: Double, width: Double) in
            let corners = [(left, 102.0), (left + width, 102), (left + width + 104, -2), (left + 104, -2)]
            return Path(corners.map { x, y in Point(x: isRising ? x : stage.width - x, y: y) })
        }
        let start = stage.width / 2 - 52 - width * 2.2
        return colors.enumerated().map { number, color in
            Layer(band(start + Double(number) * width * 1.5, width), color, 0.95)
        }
            + [
                Layer(.circle(Point(x: isRising ? stage.width / 2 - 27 : stage.width / 2 + 27, y: 26), 10), palette.bright),
                Layer(.circle(Point(x: isRising ? stage.width / 2 + 29 : stage.width / 2 - 29, y: 78), 7), palette.pale),
            ]
    }

    static func cube(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let isOpen = dice.roll(2) == 0
        let corner = { (turn: Double, size: Double) in stage.center + Point(turn: turn) * size }
        let face = { (turn: Double, size: Double) in
            Path([stage.center, corner(turn, size), corner(turn + 1.0 / 6, size), corner(turn + 1.0 / 3, size)])
        }
        let up = -0.25 - 1.0 / 6
        let outer = [
            Layer(face(up, 41), palette.pale), Layer(face(up + 1.0 / 3, 41), palette.bright), Layer(face(up + 2.0 / 3, 41), palette.deep),
        ]
        let inner = [
            Layer(face(up, 19), palette.bright), Layer(face(up + 1.0 / 3, 19), palette.deep), Layer(face(up + 2.0 / 3, 19), palette.pale),
        ]
        return echoes(stage, palette) + outer + (isOpen ? inner : [])
    }

    static func pinwheel(_ stage: Canvas, _ palette: Palette, _ dice: inout SeededChoices) -> [Layer] {
        let count = [4, 6][dice.roll(2)]
        let way = dice.roll(2) == 0 ? 1.0 : -1
        let blades = (0..<count).flatMap { number in
            let turn = Double(number) / Double(count) + 0.06
            var blade = Path(from: stage.center)
            let tip = stage.center + Point(turn: turn) * 43
            blade.line(to: tip)
            let out = stage.center + Point(turn: turn + way * 0.62 / Double(count)) * 40
            blade.curve(out, stage.center + Point(turn: turn + way * 0.8 / Double(count)) * 22, to: stage.center)
            let fold = Path([stage.center, tip, stage.center + Point(turn: turn + way * 0.3 / Double(count)) * 22])
            return [Layer(blade, number % 2 == 0 ? palette.pale : palette.bright), Layer(fold, palette.deep, 0.22)]
        }
        return echoes(stage, palette) + blades + [Layer(.circle(stage.center, 7), palette.deep)]
    }
}

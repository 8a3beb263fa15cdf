struct Screenshot {
    let palette: Palette
    let icon: Picture
    let dice: SeededChoices

    /// The frame of the icon, which fills a window with rounded corners and is clipped to it.
    private static let window = PicturePart.Frame(origin: Point(x: 6, y: 24), scale: 0.88)

    /// Returns the parts of the picture, which is 100 units wide.
    func parts(tall: Double) -> [PicturePart] {
        let window = Shape.box(Self.window.origin.x, Self.window.origin.y, 88, 88, round: 9)
        return [PicturePart(page(tall: tall)), PicturePart(icon.layers, in: Self.window, clippedTo: window)]
    }

    func text(width: Int, height: Int) -> String {
        let tall = 100 * Double(height) / Double(width)
        var svg = SVGText()
        svg.append(Picture(stage: Canvas(width: 100), layers: page(tall: tall)))
        let box = "100 \(tall.short)"
        let place = "x=\"\(Self.window.origin.x.short)\" y=\"\(Self.window.origin.y.short)\" width=\"88\" height=\"88\""
        var window = SVGText(prefix: "w")
        window.append(icon)
        return SVGText.head(width, height, box: box)
            + "<clipPath id=\"c\"><rect \(place) rx=\"9\"/></clipPath>\(svg.text)"
            + "<g clip-path=\"url(#c)\"><svg \(place) viewBox=\"0 0 100 100\">\(window.text)</svg></g></svg>\n"
    }

    private func page(tall: Double) -> [Layer] { [Layer(.box(0, 0, 100, tall, round: 0), paper)] + bars(from: tall) }

    private var paper: Color { palette.pale.mixed(with: 0xFFFFFF, 0.55) }

    /// Returns the title, a list or a grid below the window, and a bar at the bottom.
    private func bars(from tall: Double) -> [Layer] {
        var dice = dice
        let ink = palette.deep
        var layers = [
            Layer(.box(6, 11, 44, 5, round: 2.5), ink), Layer(.circle(Point(x: 89, y: 13.5), 4.5), palette.bright),
            Layer(.box(0, tall - 20, 100, 20, round: 0), palette.ground.light, 0.22),
        ]
        for number in 0..<4 {
            let point = Point(x: 17 + Double(number) * 22, y: tall - 11.5)
            layers.append(Layer(.circle(point, 4), number == 0 ? palette.ground.dark : ink, number == 0 ? 1 : 0.25))
        }
        return layers + (dice.roll(2) == 0 ? list(ink) : grid(ink))
    }

    private func list(_ ink: Color) -> [Layer] {
        (0..<4).flatMap { row in
            let y = 119 + Double(row) * 18.5
            let color = [palette.ground.light, palette.bright, palette.ground.dark, palette.deep][row]
            return [
                Layer(.box(6, y, 13, 13, round: 3.5), color), Layer(.box(24, y + 2, [46.0, 36, 52, 40][row], 3.6, round: 1.8), ink, 0.8),
                Layer(.box(24, y + 8, [30.0, 44, 26, 34][row], 2.8, round: 1.4), ink, 0.3),
            ]
        }
    }

    private func grid(_ ink: Color) -> [Layer] {
        (0..<4).flatMap { number in
            let x = 6 + Double(number % 2) * 46
            let y = 119 + Double(number / 2) * 37
            let color = [palette.ground.light, palette.bright, palette.ground.dark, palette.deep][number]
            return [
                Layer(.box(x, y, 42, 23, round: 4), color), Layer(.box(x, y + 26, 28, 3.2, round: 1.6), ink, 0.8),
                Layer(.box(x, y + 31, 19, 2.4, round: 1.2), ink, 0.3),
            ]
        }
    }
}

/// The generated picture of an item without artwork. It depends only on the item's ID, so it never changes and needs no
/// lookup.
///
/// Drawing uses only additions, multiplications and square roots, which IEEE 754 defines to the last bit. Every machine
/// draws the same pixels, so caches may keep them forever.
package struct Artwork: Sendable, Hashable {
    /// The version of the drawings, which is part of their addresses. It increases whenever a picture changes, because
    /// caches never request an address again.
    package static let drawing = 1

    package let motif: Motif
    package let palette: Palette
    private let dice: SeededChoices

    package init(high: UInt64, low: UInt64) {
        var dice = SeededChoices(high: high, low: low)
        motif = dice.pick(of: Motif.allCases)
        palette = dice.pick(of: Palette.all)
        self.dice = dice
    }

    package func svg(_ size: ArtworkSize) -> [UInt8] { Array(text(size).utf8) }

    /// Returns the picture as a PNG file. `compress` makes a zlib stream of its scanlines; if it returns nil, the result
    /// is nil.
    package func png(_ size: ArtworkSize, compress: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
        var painter = RowPainter(parts(size), width: size.width, scale: size.scale, lines: 4)
        var file = PNG(width: size.width, height: size.height)
        for _ in 0..<size.height {
            painter.paintRow()
            file.append(painter.pixels)
        }
        return file.file(compress)
    }

    /// Returns the shapes of a picture that is 100 units high, for another SVG document. `prefix` keeps the names of its
    /// gradients unique there.
    package func shapes(_ size: ArtworkSize, prefix: String) -> (svg: String, width: Double) {
        let picture = picture(of: size)
        var text = SVGText(prefix: prefix)
        text.append(picture)
        return (text.text, picture.stage.width)
    }

    func text(_ size: ArtworkSize) -> String {
        switch size.role {
        case .icon, .hero: SVGText(picture(of: size), width: size.width, height: size.height).text
        case .screenshot: screenshot.text(width: size.width, height: size.height)
        }
    }

    private func parts(_ size: ArtworkSize) -> [PicturePart] {
        switch size.role {
        case .icon, .hero: [PicturePart(picture(of: size).layers)]
        case .screenshot: screenshot.parts(tall: 100 * Double(size.height) / Double(size.width))
        }
    }

    private var screenshot: Screenshot { Screenshot(palette: palette, icon: picture(on: .square), dice: dice) }

    private func picture(of size: ArtworkSize) -> Picture { picture(on: Canvas(width: 100 * Double(size.width) / Double(size.height))) }

    /// The placeholder that clients show until the icon is loaded. It takes a millisecond to create and is the same for
    /// the same `style`.
    package var placeholder: Placeholder {
        let raster = Raster(picture(on: .square), side: 24)
        return Placeholder(color: raster.dominantColor(among: palette.groups).text, blurhash: Blurhash(raster, across: 4, down: 3).text)
    }

    /// The appearance of the icon. All IDs share a few thousand styles.
    package var style: ArtworkStyle { ArtworkStyle(motif: motif, palette: palette.name, way: dice.way(of: Self.ways[motif] ?? 1)) }

    package struct ArtworkStyle: Sendable, Hashable {
        let motif: Motif
        let palette: Palette.Name
        let way: UInt64
    }

    /// The number of variants of each motif. A motif always rolls the same number of times.
    private static let ways = Dictionary(
        uniqueKeysWithValues: Motif.allCases.map { motif in
            var dice = SeededChoices(high: 0, low: 0)
            _ = motif.draw(on: .square, Palette.all[0], &dice)
            return (motif, dice.ways)
        })

    func picture(on stage: Canvas) -> Picture {
        var dice = dice
        let layers = motif.draw(on: stage, palette, &dice)
        return Picture(stage: stage, layers: Self.backdrop(stage, palette) + layers)
    }

    /// The background, lit from the upper left.
    private static func backdrop(_ stage: Canvas, _ palette: Palette) -> [Layer] {
        let corner = Point(x: stage.width, y: stage.height)
        let light = Paint.fade(palette.pale, 0.22, 0, from: .origin, to: Point(x: stage.width * 0.6, y: stage.height * 0.7))
        return [
            Layer(.canvas, .gradient(palette.ground.light, palette.ground.dark, from: .origin, to: corner)), Layer(.canvas, light),
        ]
    }
}

package struct Placeholder: Sendable, Hashable {
    /// The dominant color, as `#RRGGBB`.
    package let color: String
    /// A hash of four by three components.
    package let blurhash: String
}

struct SeededChoices: Sendable, Hashable {
    private var rest: UInt64
    /// The product of the sides of all rolls so far, which is the number of possible outcomes.
    private(set) var ways: UInt64 = 1

    /// Mixes all bits with the finalizer of SplitMix64, because consecutive IDs differ in only a few bits.
    init(high: UInt64, low: UInt64) { rest = Self.mix(Self.mix(high) ^ low) }

    /// Returns a nearly uniform number below `sides`. Each roll consumes that much of the ID.
    mutating func roll(_ sides: Int) -> Int {
        let (left, side) = rest.quotientAndRemainder(dividingBy: UInt64(sides))
        rest = left
        ways &*= UInt64(sides)
        return Int(side)
    }

    /// Returns the outcome of the next rolls as a number, if they have that many outcomes.
    func way(of ways: UInt64) -> UInt64 { rest % ways }

    mutating func pick<Value>(of values: [Value]) -> Value { values[roll(values.count)] }

    private static func mix(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}

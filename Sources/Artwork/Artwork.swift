/// The picture of an item that brings none: made of its id alone, so that it never changes and nothing has to be looked up to draw it.
///
/// Only additions, multiplications and square roots are done on the way, all of which IEEE 754 defines to the last bit: every machine draws
/// the same bytes, and a cache may keep them for ever. Whoever changes a motif or a palette changes the pictures under addresses that caches
/// never ask for again.
package struct Artwork: Sendable, Hashable {
    package let motif: Motif
    package let palette: Palette
    private let dice: SeededChoices

    package init(high: UInt64, low: UInt64) {
        var dice = SeededChoices(high: high, low: low)
        motif = dice.pick(of: Motif.allCases)
        palette = dice.pick(of: Palette.all)
        self.dice = dice
    }

    package func svg(_ variant: ArtworkVariant) -> [UInt8] { Array(text(variant).utf8) }

    func text(_ variant: ArtworkVariant) -> String {
        let size = variant.size
        switch variant {
        case .icon, .hero:
            let picture = picture(on: Canvas(width: 100 * Double(size.width) / Double(size.height)))
            return SVGText(picture, width: size.width, height: size.height).text
        case .screenshot:
            return Screenshot(palette: palette, icon: picture(on: .square), dice: dice).text(width: size.width, height: size.height)
        }
    }

    /// What stands for the icon until it is there. It takes a millisecond to make, and is the same for the same `style`.
    package var placeholder: Placeholder {
        let raster = Raster(picture(on: .square), side: 24)
        return Placeholder(color: raster.dominantColor(among: palette.groups).text, blurhash: Blurhash(raster, across: 4, down: 3).text)
    }

    /// What the icon looks like, of which there are some thousand for any number of ids.
    package var style: ArtworkStyle { ArtworkStyle(motif: motif, palette: palette.name, way: dice.way(of: Self.ways[motif] ?? 1)) }

    package struct ArtworkStyle: Sendable, Hashable {
        let motif: Motif
        let palette: Palette.Name
        let way: UInt64
    }

    /// In how many ways each motif is drawn: each rolls the same number of times, whatever comes of it.
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

    /// The ground, lit from the upper left.
    private static func backdrop(_ stage: Canvas, _ palette: Palette) -> [Layer] {
        let corner = Point(x: stage.width, y: stage.height)
        let light = Paint.fade(palette.pale, 0.22, 0, from: .origin, to: Point(x: stage.width * 0.6, y: stage.height * 0.7))
        return [
            Layer(.canvas, .gradient(palette.ground.light, palette.ground.dark, from: .origin, to: corner)), Layer(.canvas, light),
        ]
    }
}

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

package struct Placeholder: Sendable, Hashable {
    /// The colour that most of it has, as `#RRGGBB`.
    package let color: String
    /// In four by three waves.
    package let blurhash: String
}

struct SeededChoices: Sendable, Hashable {
    private var rest: UInt64
    /// The product of the sides of all rolls so far: how many ways there were for them to fall.
    private(set) var ways: UInt64 = 1

    /// Mixes all bits, for ids of one series differ in few: the finalizer of SplitMix64.
    init(high: UInt64, low: UInt64) { rest = Self.mix(Self.mix(high) ^ low) }

    /// One of so many, of which each is as likely as the others but for what nobody sees; a roll uses up that much of the id.
    mutating func roll(_ sides: Int) -> Int {
        let (left, side) = rest.quotientAndRemainder(dividingBy: UInt64(sides))
        rest = left
        ways &*= UInt64(sides)
        return Int(side)
    }

    /// Which of so many ways the next rolls will fall, as a number.
    func way(of ways: UInt64) -> UInt64 { rest % ways }

    mutating func pick<Value>(of values: [Value]) -> Value { values[roll(values.count)] }

    private static func mix(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}

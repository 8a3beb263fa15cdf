/// An sRGB color.
struct Color: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The components, from 0 to 255.
    let red, green, blue: Double

    static let black: Color = 0x000000

    /// Creates a color from 0xRRGGBB.
    init(integerLiteral value: UInt32) {
        self.init(red: Double(value >> 16 & 255), green: Double(value >> 8 & 255), blue: Double(value & 255))
    }

    init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Returns a mix: this color if `part` is 0, the other if it is 1.
    func mixed(with other: Color, _ part: Double) -> Color {
        Color(
            red: red + (other.red - red) * part, green: green + (other.green - green) * part, blue: blue + (other.blue - blue) * part)
    }

    func adding(_ other: Color, _ factor: Double) -> Color {
        Color(red: red + other.red * factor, green: green + other.green * factor, blue: blue + other.blue * factor)
    }

    /// Returns the squared distance in the RGB cube.
    func distance(to other: Color) -> Double {
        let (x, y, z) = (red - other.red, green - other.green, blue - other.blue)
        return x * x + y * y + z * z
    }

    /// The color as `#RRGGBB`.
    var text: String {
        let digits = Array("0123456789ABCDEF")
        return [red, green, blue].reduce(into: "#") { text, part in
            let value = Int(part.rounded())
            text.append(digits[value >> 4])
            text.append(digits[value & 15])
        }
    }
}

enum Paint: Sendable, Hashable {
    /// A color and its opacity.
    case flat(Color, Double)
    case gradient(Color, Color, from: Point, to: Point)
    /// One color between two opacities.
    case fade(Color, Double, Double, from: Point, to: Point)

    static func flat(_ color: Color) -> Paint { .flat(color, 1) }

    func color(at point: Point) -> (color: Color, opacity: Double) {
        switch self {
        case .flat(let color, let opacity): (color, opacity)
        case .gradient(let first, let second, let from, let to): (first.mixed(with: second, Self.part(point, from, to)), 1)
        case .fade(let color, let first, let second, let from, let to): (color, first + (second - first) * Self.part(point, from, to))
        }
    }

    private static func part(_ point: Point, _ from: Point, _ to: Point) -> Double {
        let way = to - from
        let gone = point - from
        return min(1, max(0, (gone.x * way.x + gone.y * way.y) / (way.x * way.x + way.y * way.y)))
    }
}

package struct Palette: Sendable, Hashable {
    /// The name of the background color, which also names the palette.
    package enum Name: String, Sendable, CaseIterable {
        case teal, indigo, coral, forest, sky, plum, sand, midnight, mint, rose, olive, lavender, brick, ocean, peach, graphite
    }

    struct Ground: Sendable, Hashable {
        let light, dark: Color
    }

    package let name: Name
    let ground: Ground
    /// The color that contrasts most with the background.
    let bright: Color
    let pale: Color
    let deep: Color

    /// The visually distinct colors. The colors of the gradient are one group.
    var groups: [[Color]] { [[ground.light, ground.light.mixed(with: ground.dark, 0.5), ground.dark], [bright], [pale], [deep]] }

    private init(_ name: Name, _ light: Color, _ dark: Color, bright: Color, pale: Color, deep: Color) {
        self.name = name
        ground = Ground(light: light, dark: dark)
        self.bright = bright
        self.pale = pale
        self.deep = deep
    }

    /// All palettes. An ID selects by their order, so a new palette would change every picture.
    static let all = [
        Palette(.teal, 0x3BB2B8, 0x1F6F8B, bright: 0xFFC857, pale: 0xF4F1DE, deep: 0x0B3C49),
        Palette(.indigo, 0x7678ED, 0x3D348B, bright: 0xF7B801, pale: 0xF1EDFF, deep: 0x1E1A4D),
        Palette(.coral, 0xFF9B71, 0xEE5D6C, bright: 0xFFE066, pale: 0xFFF3E6, deep: 0x70233B),
        Palette(.forest, 0x6BBF92, 0x2D6A4F, bright: 0xF9C74F, pale: 0xE9F5DB, deep: 0x12372A),
        Palette(.sky, 0x8FDDF0, 0x3F9BD9, bright: 0xFFB703, pale: 0xFFFFFF, deep: 0x13406B),
        Palette(.plum, 0xC06C84, 0x6A1B4D, bright: 0xF8B195, pale: 0xFDEFF4, deep: 0x351431),
        Palette(.sand, 0xF3D38A, 0xF0A05A, bright: 0xE4572E, pale: 0xFFF8E7, deep: 0x264653),
        Palette(.midnight, 0x3A5080, 0x14213D, bright: 0xFCA311, pale: 0xE5E8F5, deep: 0x0A1128),
        Palette(.mint, 0xC8F2DC, 0x7CCDB4, bright: 0xFF7F6B, pale: 0xFFFFFF, deep: 0x1F5F5B),
        Palette(.rose, 0xFBC4CB, 0xEE89A4, bright: 0x8A4FBF, pale: 0xFFF7F3, deep: 0x6B2340),
        Palette(.olive, 0xA9BA74, 0x5F6B37, bright: 0xF2B158, pale: 0xFEFAE0, deep: 0x283618),
        Palette(.lavender, 0xD3BDF5, 0x8F80D6, bright: 0xFFA0B4, pale: 0xFBF8FF, deep: 0x3D2F75),
        Palette(.brick, 0xDB6B4A, 0x97252B, bright: 0xFFD07B, pale: 0xFFF4DC, deep: 0x4A0A12),
        Palette(.ocean, 0x1093B4, 0x03396C, bright: 0xF2C14E, pale: 0xDFF6FF, deep: 0x011F3D),
        Palette(.peach, 0xFFE1C6, 0xFFB08E, bright: 0xF0646A, pale: 0xFFFFFF, deep: 0x7A3B46),
        Palette(.graphite, 0x7B8794, 0x333B4A, bright: 0xFF7A6B, pale: 0xF2F4F8, deep: 0x1B202A),
    ]
}

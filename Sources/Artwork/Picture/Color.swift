/// A colour of sRGB.
struct Color: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// From 0 to 255.
    let red, green, blue: Double

    static let black: Color = 0x000000

    /// 0xRRGGBB.
    init(integerLiteral value: UInt32) {
        self.init(red: Double(value >> 16 & 255), green: Double(value >> 8 & 255), blue: Double(value & 255))
    }

    init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// This one where `part` is 0, the other where it is 1.
    func mixed(with other: Color, _ part: Double) -> Color {
        Color(
            red: red + (other.red - red) * part, green: green + (other.green - green) * part, blue: blue + (other.blue - blue) * part)
    }

    func adding(_ other: Color, _ factor: Double) -> Color {
        Color(red: red + other.red * factor, green: green + other.green * factor, blue: blue + other.blue * factor)
    }

    /// The square of how far apart the two are.
    func distance(to other: Color) -> Double {
        let (x, y, z) = (red - other.red, green - other.green, blue - other.blue)
        return x * x + y * y + z * z
    }

    /// `#RRGGBB`.
    var text: String {
        let digits = Array("0123456789ABCDEF")
        return [red, green, blue].reduce(into: "#") { text, part in
            let value = Int(part.rounded())
            text.append(digits[value >> 4])
            text.append(digits[value & 15])
        }
    }
}

/// A blurred picture as a few cosine components, in a short text that clients decode while the picture loads.
///
/// The format is version 1 of blurha.sh.
struct Blurhash: Sendable {
    let text: String

    /// Computes the hash with that many horizontal and vertical components, each from 1 to 9.
    init(_ raster: Raster, across: Int, down: Int) {
        let factors = Self.factors(raster, across, down)
        let largest = factors.dropFirst().reduce(0) { max($0, abs($1.red), abs($1.green), abs($1.blue)) }
        let scale = max(0, min(82, Int(largest * 166 - 0.5)))
        var text = ""
        Self.append(across - 1 + (down - 1) * 9, digits: 1, to: &text)
        Self.append(factors.count > 1 ? scale : 0, digits: 1, to: &text)
        let mean = factors[0]
        let parts = [mean.red, mean.green, mean.blue].map(Self.encoded)
        Self.append(parts[0] << 16 | parts[1] << 8 | parts[2], digits: 4, to: &text)
        for factor in factors.dropFirst() {
            let steps = [factor.red, factor.green, factor.blue].map { Self.step($0 / (Double(scale + 1) / 166)) }
            Self.append(steps[0] * 361 + steps[1] * 19 + steps[2], digits: 2, to: &text)
        }
        self.text = text
    }

    /// Returns the amplitude of each component, in linear light. The first is the mean.
    private static func factors(_ raster: Raster, _ across: Int, _ down: Int) -> [Color] {
        let linear = raster.pixels.map { pixel in
            let parts = [pixel.red, pixel.green, pixel.blue].map { light[Int($0.rounded())] }
            return Color(red: parts[0], green: parts[1], blue: parts[2])
        }
        let waves = { (count: Int, length: Int) in
            (0..<count).map { wave in (0..<length).map { Point(turn: Double(wave * $0) / Double(2 * length)).x } }
        }
        let (wavesAcross, wavesDown) = (waves(across, raster.width), waves(down, raster.height))
        // Sum along the rows first, then down the columns.
        let rows = (0..<raster.height).map { row in
            wavesAcross.map { wave in sum(zip(wave, linear[row * raster.width..<(row + 1) * raster.width])) }
        }
        return (0..<down).flatMap { j in
            (0..<across).map { i in
                let weight = (i + j == 0 ? 1 : 2) / Double(raster.width * raster.height)
                return Color.black.adding(sum(zip(wavesDown[j], rows.lazy.map { $0[i] })), weight)
            }
        }
    }

    private static func sum(_ weighted: some Sequence<(Double, Color)>) -> Color {
        weighted.reduce(.black) { $0.adding($1.1, $1.0) }
    }

    /// Returns one of nineteen quantization steps around zero. Steps near zero are finer.
    private static func step(_ value: Double) -> Int {
        let root = value.magnitude.squareRoot()
        return max(0, min(18, Int(((value < 0 ? -root : root) * 9 + 9.5).rounded(.down))))
    }

    private static func append(_ value: Int, digits count: Int, to text: inout String) {
        var digits: [Character] = []
        var rest = value
        for _ in 0..<count {
            digits.append(alphabet[rest % 83])
            rest /= 83
        }
        text.append(contentsOf: digits.reversed())
    }

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    /// The linear light of each sRGB value, from 0 to 1.
    private static let light = (0...255).map { value in
        let part = Double(value) / 255
        guard part > 0.04045 else { return part / 12.92 }
        // Raised to the power of 2.4.
        let base = (part + 0.055) / 1.055
        let fifth = root(5, of: base)
        return base * base * fifth * fifth
    }

    private static func encoded(_ value: Double) -> Int {
        let part = max(0, min(1, value))
        guard part > 0.0031308 else { return Int(part * 12.92 * 255 + 0.5) }
        // Raised to the power of 5/12.
        let twelfth = root(3, of: part).squareRoot().squareRoot()
        return Int((1.055 * twelfth * twelfth * twelfth * twelfth * twelfth - 0.055) * 255 + 0.5)
    }

    /// Computes a root with Newton's method, from above. The value must be in 0…1 and not tiny.
    private static func root(_ degree: Int, of value: Double) -> Double {
        var guess = 1.0
        while true {
            let power = (1..<degree).reduce(1.0) { product, _ in product * guess }
            let next = (Double(degree - 1) * guess + value / power) / Double(degree)
            guard next < guess else { return guess }
            guess = next
        }
    }
}

/// A PNG file of opaque pixels with eight bits for each color, as defined in the W3C recommendation of PNG.
struct PNG {
    /// The compressor of the scanlines into a zlib stream. Returns nil if memory is exhausted.
    typealias Compressor = ([UInt8]) -> [UInt8]?

    private let width: Int
    private let height: Int
    /// The filtered scanlines, each after the number of its filter.
    private var scanlines: [UInt8] = []
    private var row: [UInt8]
    private var rowAbove: [UInt8]
    private var filtered: [UInt8]
    private var best: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        row = Array(repeating: 0, count: width * 3)
        (rowAbove, filtered, best) = (row, row, row)
        scanlines.reserveCapacity((width * 3 + 1) * height)
    }

    mutating func append(_ pixels: [Color]) {
        swap(&row, &rowAbove)
        for (column, pixel) in pixels.enumerated() {
            row[column * 3] = UInt8(pixel.red + 0.5)
            row[column * 3 + 1] = UInt8(pixel.green + 0.5)
            row[column * 3 + 2] = UInt8(pixel.blue + 0.5)
        }
        var smallest = Int.max
        var number: UInt8 = 0
        for filter in Filter.allCases {
            let sum = apply(filter)
            guard sum < smallest else { continue }
            (smallest, number) = (sum, filter.rawValue)
            swap(&filtered, &best)
        }
        scanlines.append(number)
        scanlines += best
    }

    private enum Filter: UInt8, CaseIterable {
        case none, sub, up, average, paeth
    }

    /// Filters the row and returns the sum of the differences as signed numbers. The filter with the smallest sum
    /// compresses best in most cases.
    private mutating func apply(_ filter: Filter) -> Int {
        var sum = 0
        for index in row.indices {
            let left = index < 3 ? 0 : Int(row[index - 3])
            let above = Int(rowAbove[index])
            let expected =
                switch filter {
                case .none: 0
                case .sub: left
                case .up: above
                case .average: (left + above) / 2
                case .paeth: Self.paeth(left, above, index < 3 ? 0 : Int(rowAbove[index - 3]))
                }
            let difference = row[index] &- UInt8(expected)
            filtered[index] = difference
            sum += Int(Int8(bitPattern: difference).magnitude)
        }
        return sum
    }

    /// Returns the neighbor that is nearest to `left + above - corner`.
    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let (toLeft, toAbove, toCorner) = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }

    /// Returns the file with all appended rows; nil if the compressor fails.
    func file(_ compress: Compressor) -> [UInt8]? {
        guard let compressed = compress(scanlines) else { return nil }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits for each of red, green and blue, without interlacing.
        Self.append("IHDR", Self.bytes(width) + Self.bytes(height) + [8, 2, 0, 0, 0], to: &bytes)
        Self.append("sRGB", [0], to: &bytes)
        Self.append("IDAT", compressed, to: &bytes)
        Self.append("IEND", [], to: &bytes)
        return bytes
    }

    private static func append(_ type: String, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes += Self.bytes(content.count)
        let start = bytes.count
        bytes += Array(type.utf8) + content
        bytes += Self.bytes(Int(checksum(bytes[start...])))
    }

    private static func bytes(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    /// Returns the CRC-32 of bytes.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in checksums[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }

    /// The CRC-32 of each byte.
    private static let checksums = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}

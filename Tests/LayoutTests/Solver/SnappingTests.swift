import Layout
import TestSupport
import Testing

@Suite("Frames at whole pixels")
struct SnappingTests {
    @Test(
        "Half a pixel rounds up, and so does a value less than a millionth below it",
        arguments: [(10.5, 11.0), (10.5 - 1e-9, 11), (10.5 - 9e-7, 11), (10.5 - 2e-6, 10), (10.49, 10), (-0.5, 0), (-0.5 - 1e-9, 0)]
            as [(Double, Double)])
    func halves(points: Double, pixels: Double) {
        let frame = Rectangle(x: points, y: points, width: 0, height: 0).snapped(to: 1)
        #expect(frame == Rectangle(x: pixels, y: pixels, width: 0, height: 0))
    }

    @Test("Adjacent frames share their edge", arguments: 1...3)
    func adjacentFrames(scale: Int) throws {
        let scale = try #require(Scale(Double(scale)))
        var random = SeededRandom(seed: 7)
        for _ in 0..<20_000 {
            // Sixths of a point fall on half pixels, where rounding errors differ with the order of a sum.
            let (start, width) = (
                Double(Int.random(in: 0...4_000, using: &random)) / 6, Double(Int.random(in: 1...2_000, using: &random)) / 6
            )
            let ordinal = Double(Int.random(in: 0...400, using: &random))
            let left = Rectangle(x: start + ordinal * width, y: 0, width: width, height: 0).snapped(to: scale)
            let right = Rectangle(x: start + (ordinal + 1) * width, y: 0, width: width, height: 0).snapped(to: scale)
            try #require(abs(left.maxX - right.x) < 1e-9, "\(start) \(width) \(ordinal)")
        }
    }
}

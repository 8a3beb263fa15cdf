import Foundation
import Testing

@testable import Artwork

@Suite("Raster")
struct RasterTests {
    /// The mean colors of four by four fields of each motif, from its SVG at 256 pixels as librsvg 2.54 draws it. Each line is `motif
    /// RRGGBB…`.
    @Test("The raster of a motif has the colors of its SVG in another renderer", arguments: Motif.allCases)
    func likeRenderer(motif: Motif) throws {
        let artwork = try #require(Self.first(of: motif))
        let lines = try Self.rendered().split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("\(motif.rawValue) ") }).split(separator: " ").dropFirst()
        let raster = Raster(artwork.picture(on: .square), side: 24)
        #expect(line.count == 16)
        for (index, text) in line.enumerated() {
            let expected = try Color(integerLiteral: #require(UInt32(text, radix: 16)))
            let mean = raster.mean(x: index % 4 * 6, y: index / 4 * 6, side: 6)
            #expect(mean.distance(to: expected) < 3 * 7 * 7, "\(motif) at \(index): \(mean.text) for \(text)")
        }
    }

    private static func rendered() throws -> String {
        try String(contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "rendered.txt"), encoding: .utf8)
    }

    private static func first(of motif: Motif) -> Artwork? {
        (0..<1_000).lazy.map { Artwork(high: 1, low: $0) }.first { $0.motif == motif }
    }

    @Test("The raster of a circle covers the area of the circle, partly covered pixels included")
    func circle() {
        let picture = Picture(stage: .square, layers: [Layer(.circle(Point(x: 50, y: 50), 40), 0xFFFFFF)])
        let raster = Raster(picture, side: 24)
        let path = Raster(Picture(stage: .square, layers: [Layer(Path(ellipseAt: Point(x: 50, y: 50), 40, 40), 0xFFFFFF)]), side: 24)
        for raster in [raster, path] {
            let covered = raster.pixels.reduce(0) { $0 + $1.red } / 255 / 576
            #expect((covered - Double.pi * 0.16).magnitude < 0.005)
        }
    }

    @Test("The dominant color is the mean of the largest group, independent of the divisions of the group")
    func dominant() {
        let pixels: [Color] = [0x102030, 0x102030, 0x182838, 0xF0F0F0, 0xF0F0F0]
        let raster = Raster(width: 5, height: 1, pixels: pixels)
        #expect(raster.dominantColor(among: [[0xFFFFFF], [0x000000, 0x182838]]).text == "#132333")
    }
}

extension Raster {
    fileprivate func mean(x: Int, y: Int, side: Int) -> Color {
        var sum = Color.black
        for row in y..<y + side { for column in x..<x + side { sum = sum.adding(pixels[row * width + column], 1) } }
        return Color.black.adding(sum, 1 / Double(side * side))
    }
}

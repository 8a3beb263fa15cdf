import Foundation
import HTTP
import Host
import TestSupport
import Testing

@testable import Artwork

@Suite("PNG")
struct PNGTests {
    private static let harbor = Artwork(high: 0x0D0F_8A3E_7F6C_4A43, low: 0x9A51_6F1F_6C2F_7A10)

    private static func file(_ artwork: Artwork, _ size: ArtworkSize) throws -> [UInt8] {
        try #require(artwork.png(size) { Deflate.compress($0, into: .zlib, level: 6) })
    }

    /// The limit of the mean difference of two renderers, of 255.
    private static let maxDifference = 3.0

    /// Writes drawings as PNG and SVG, checks the files with pngcheck, and compares the pixels that Pillow reads with those of librsvg.
    private static func compare(_ drawings: [(Artwork, ArtworkSize)]) throws {
        let folder = try TemporaryFolder("artwork")
        let files = try drawings.enumerated().map { number, drawing in
            let (artwork, size) = drawing
            let path = "\(folder.path)/\(number)-\(artwork.motif)-\(size.role)-\(size.name)"
            try Data(file(artwork, size)).write(to: URL(filePath: "\(path).png"))
            try Data(artwork.svg(size)).write(to: URL(filePath: "\(path).svg"))
            try run("/usr/bin/rsvg-convert", ["--output", "\(path)-reference.png", "\(path).svg"])
            return path
        }
        try run("/usr/bin/pngcheck", ["-q"] + files.map { "\($0).png" })
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "compare-images").path
        let output = try run(script, files.flatMap { ["\($0).png", "\($0)-reference.png"] })
        let differences = output.split(separator: "\n").compactMap { Double($0) }
        #expect(differences.count == files.count)
        for (difference, file) in zip(differences, files) { #expect(difference <= maxDifference, "\(file)") }
    }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let output = try ProcessLaunch(program, arguments, environment: SystemInfo.environment).output(within: .seconds(120))
        try #require(output.status == .code(0), "\(program): \(output.text)")
        return output.text
    }

    @Test("Every role and size is a valid PNG with the pixels that another renderer draws of the SVG")
    func sizes() throws { try Self.compare(ArtworkRole.allCases.flatMap { role in role.sizes.map { (Self.harbor, $0) } }) }

    @Test("Every motif in every role has the pixels that another renderer draws of the SVG")
    func motifs() throws {
        try Self.compare(
            Motif.allCases.flatMap { motif in
                let artwork = try #require((0..<1_000).lazy.map { Artwork(high: 1, low: $0) }.first { $0.motif == motif })
                return ArtworkRole.allCases.map { (artwork, $0.sizes[0]) }
            })
    }

    /// A difference means that pictures under existing addresses change. Increase `Artwork.drawing`, and then record the golden.
    @Test("The pictures of a drawing version never change")
    func pixels() throws {
        var lines = ArtworkRole.allCases.flatMap { role in
            role.sizes.map { size in "\(role.rawValue) \(size.name) \(Self.checksum(Self.scanlines(Self.harbor, size)))" }
        }
        for role in ArtworkRole.allCases {
            let artworks = (0..<500).map { Artwork(high: 7, low: $0) }
            lines.append("\(role.rawValue) of 500 items as SVG \(Self.checksum(artworks.flatMap { $0.svg(role.sizes[0]) }))")
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(try text == Golden("drawing-\(Artwork.drawing).txt").text(recording: text))
    }

    /// Returns the filtered scanlines, which do not depend on the version of zlib.
    private static func scanlines(_ artwork: Artwork, _ size: ArtworkSize) -> [UInt8] {
        var scanlines: [UInt8] = []
        _ = artwork.png(size) {
            scanlines = $0
            return $0
        }
        return scanlines
    }

    private static func checksum(_ bytes: [UInt8]) -> String { String(PNG.checksum(bytes[...]), radix: 16) }

    @Test("An icon of 480 pixels takes at most 100 ms of CPU")
    func duration() throws {
        let size = try #require(ArtworkSize(.icon, named: "480x480"))
        let durations = try Motif.allCases.map { motif in
            let artwork = try #require((0..<1_000).lazy.map { Artwork(high: 1, low: $0) }.first { $0.motif == motif })
            return try (0..<2).map { _ in
                let start = Self.processorTime()
                _ = try Self.file(artwork, size)
                return Self.processorTime() - start
            }.min() ?? 0
        }
        #expect((durations.max() ?? .infinity) <= 0.1, "\(durations)")
    }

    /// The time for which the calling thread has used a processor, in seconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("Without memory for the compression there is no file")
    func outOfMemory() { #expect(Self.harbor.png(ArtworkRole.icon.sizes[0]) { _ in nil } == nil) }

    @Test("Only the listed sizes have a name", arguments: ["121x121", "0x0", "120X120", "120x120 ", "0120x120", "640x360", "x", ""])
    func names(name: String) { #expect(ArtworkSize(.icon, named: name) == nil) }
}

import TestSupport
import Testing

@testable import Artwork

@Suite("Artwork")
struct ArtworkTests {
    /// The artwork of an item that the documentation shows.
    private static let harbor = Artwork(high: 0x0D0F_8A3E_7F6C_4A43, low: 0x9A51_6F1F_6C2F_7A10)
    /// Artwork of nearly equal IDs, such as those of a series of items.
    private static let series = (0..<2_000).map { Artwork(high: 0x0D0F_8A3E_7F6C_4A43, low: 0x9A51_0000_0000_0000 + $0) }

    @Test("The artwork of an ID never changes, because clients cache it", arguments: ["icon", "hero", "screenshot"])
    func golden(role: String) throws {
        let size = try #require(ArtworkRole(rawValue: role)).sizes[1]
        let drawn = Self.harbor.text(size)
        #expect(try drawn == Golden("harbor-notes-\(role).svg").text(recording: drawn))
        let placeholder = "\(Self.harbor.placeholder.color)\n\(Self.harbor.placeholder.blurhash)\n"
        #expect(try placeholder == Golden("harbor-notes-placeholder.txt").text(recording: placeholder))
    }

    @Test("Nearly equal IDs produce every motif in every palette")
    func variety() {
        let kinds = Set(Self.series.map { "\($0.motif) \($0.palette.name)" })
        #expect(kinds.count == Motif.allCases.count * Palette.Name.allCases.count)
        #expect(Palette.all.map(\.name) == Palette.Name.allCases)
        #expect(Set(Self.series.map { $0.text(ArtworkRole.icon.sizes[0]) }).count > 900)
    }

    @Test("A drawing consists of shapes and gradients, and runs, styles and fetches nothing")
    func harmless() throws {
        let elements: Set = ["svg", "g", "rect", "circle", "path", "linearGradient", "stop", "clipPath"]
        let attributes: Set = [
            "xmlns", "width", "height", "viewBox", "x", "y", "rx", "cx", "cy", "r", "d", "id", "fill", "fill-opacity", "fill-rule",
            "offset",
            "stop-color", "stop-opacity", "gradientUnits", "x1", "y1", "x2", "y2", "clip-path",
        ]
        for artwork in Self.series.prefix(200) {
            for role in ArtworkRole.allCases {
                let text = artwork.text(role.sizes[0])
                #expect(Set(text.matches(of: #/<([a-zA-Z]+)/#).map { String($0.1) }).isSubset(of: elements))
                #expect(Set(text.matches(of: #/ ([a-zA-Z0-9-]+)="/#).map { String($0.1) }).isSubset(of: attributes))
                let ids = text.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
                #expect(Set(ids).count == ids.count)
                #expect(Set(text.matches(of: #/url\(#([^)]*)\)/#).map { String($0.1) }) == Set(ids))
                #expect(!text.contains("nan") && !text.contains("inf") && !text.contains("e-"))
            }
        }
    }

    @Test("The placeholder of a picture is well-formed")
    func placeholders() {
        for artwork in Self.series.prefix(300) {
            #expect(artwork.placeholder.color.wholeMatch(of: #/#[0-9A-F]{6}/#) != nil)
            // A hash of four by three components has 28 digits. The first digit encodes the components.
            #expect(artwork.placeholder.blurhash.wholeMatch(of: #/L[0-9A-Za-z#$%*+,.:;=?@\[\]^_{|}~-]{27}/#) != nil)
        }
    }

    @Test("Every picture has its own alternative text in each language, and an English one in other locales")
    func alternativeText() {
        for locale in ["en", "de", "ar", "ja"] {
            let words = Dictionary(grouping: Self.series) { $0.alternativeText(locale) }
            #expect(words.count == Motif.allCases.count * Palette.Name.allCases.count)
        }
        #expect(Self.harbor.alternativeText("en") == "A sailing boat in midnight blue")
        #expect(Self.harbor.alternativeText("de-AT") == "Ein Segelboot in Nachtblau")
        for locale in ["pt", "jav", "arn", "den-CA"] { #expect(Self.harbor.alternativeText(locale) == Self.harbor.alternativeText("en")) }
    }

    @Test("The contact sheet in the documentation shows each motif and each palette as they are drawn")
    func sheet() throws {
        let sheet = ContactSheet(of: Self.series)
        #expect(try sheet.text == sheet.file(recording: sheet.text))
    }

    @Test("Artwork of the same style is drawn the same, and the number of styles is limited")
    func looks() {
        var pictures: [Artwork.ArtworkStyle: Picture] = [:]
        for number in UInt64(0)..<20_000 {
            let artwork = Artwork(high: number, low: 7)
            let picture = artwork.picture(on: .square)
            let known = pictures.updateValue(picture, forKey: artwork.style)
            #expect(known == nil || known == picture)
        }
        #expect(pictures.count < 6_000)
    }
}

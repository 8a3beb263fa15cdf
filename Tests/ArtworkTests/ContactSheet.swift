import Foundation

@testable import Artwork

/// The icons of the documentation on one page. Each motif and each palette appears once.
struct ContactSheet {
    let text: String

    init(of artworks: [Artwork]) {
        var text = SVGText.head(960, 240, box: "960 240")
        for (index, (motif, palette)) in zip(Motif.allCases, Palette.all).enumerated() {
            guard let artwork = artworks.first(where: { $0.motif == motif && $0.palette == palette }) else { continue }
            var icon = SVGText(prefix: "i\(index)")
            icon.append(artwork.picture(on: .square))
            let (x, y) = (index % 8 * 120 + 6, index / 8 * 120 + 6)
            text += "<clipPath id=\"c\(index)\"><rect x=\"\(x)\" y=\"\(y)\" width=\"108\" height=\"108\" rx=\"24\"/></clipPath>"
            text += "<g clip-path=\"url(#c\(index))\"><svg x=\"\(x)\" y=\"\(y)\" width=\"108\" height=\"108\" viewBox=\"0 0 100 100\">"
            text += icon.text + "</svg></g>\n"
        }
        self.text = text + "</svg>\n"
    }

    /// Returns the sheet of the documentation. If goldens are recorded, that is `text`.
    func file(recording text: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "docs/pictures/artwork.svg")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
        return try String(contentsOf: file, encoding: .utf8)
    }
}

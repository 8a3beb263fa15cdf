internal import Artwork
internal import Layout
internal import Values

/// The images of a picture. Generated artwork is drawn, because it depends only on the ID in its URL. All other images
/// are included as data.
struct EmbeddedImages {
    private struct Drawn: Hashable {
        let id: UUID
        let variant: ArtworkVariant
    }

    /// The `data:` URLs by the URL of the image.
    private let data: [String: String]
    private var numbers: [Drawn: Int] = [:]
    /// The definitions that the elements refer to.
    private(set) var definitions = ""

    init(data: [String: String]) { self.data = data }

    /// Whether a picture draws the image of a URL itself.
    static func isDrawn(_ url: String) -> Bool { id(in: url) != nil }

    /// Returns the element of an image that covers a frame, or nil if the image is not available.
    mutating func element(of url: String, in frame: Rectangle) -> String? {
        let place = Sketch.place(frame)
        if let id = Self.id(in: url) {
            let drawn = Drawn(id: id, variant: frame.width > 1.35 * frame.height ? .hero : .icon)
            return "<use href=\"#a\(number(of: drawn))\" \(place)/>"
        }
        return data[url].map { "<image \(place) preserveAspectRatio=\"xMidYMid slice\" href=\"\($0.escaped)\"/>" }
    }

    private mutating func number(of drawn: Drawn) -> Int {
        if let number = numbers[drawn] { return number }
        let number = numbers.count
        numbers[drawn] = number
        let shapes = Artwork(high: drawn.id.high, low: drawn.id.low).shapes(drawn.variant, prefix: "a\(number)")
        definitions +=
            "<symbol id=\"a\(number)\" viewBox=\"0 0 \(shapes.width.plain) 100\" preserveAspectRatio=\"xMidYMid slice\">\(shapes.svg)</symbol>\n"
        return number
    }

    /// Returns the ID of the item whose artwork a server generates at a URL.
    private static func id(in url: String) -> UUID? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "v1", parts[2] == "images", ArtworkVariant(rawValue: String(parts[4])) != nil
        else { return nil }
        return UUID(String(parts[3]))
    }
}

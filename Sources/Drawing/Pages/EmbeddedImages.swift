internal import Artwork
internal import Items
internal import Layout
internal import Values

/// The images of a picture. Generated artwork is drawn, because it depends only on the ID in its URL. All other images
/// are included as data. Each image is defined once, for all cells that show it.
struct EmbeddedImages {
    private struct Drawn: Hashable {
        let id: UUID
        let role: ArtworkRole
    }

    /// The `data:` URLs by the URL of the image.
    private let data: [String: String]
    private var numbers: [Drawn: Int] = [:]
    private var numbersOfURLs: [String: Int] = [:]
    /// The URLs of the images that are not generated artwork, in the order in which the picture first shows them.
    private(set) var requestedURLs: [String] = []
    /// The definitions that the elements refer to.
    private(set) var definitions = ""

    init(data: [String: String]) { self.data = data }

    /// Returns the element of an image that covers a frame, or nil if the image is not available.
    mutating func element(of image: PageImage, in frame: Rectangle) -> String? {
        let place = Sketch.place(frame)
        let rendition = image.rendition(covering: frame)
        if let drawn = Self.drawn(in: rendition.url) { return "<use href=\"#a\(number(of: drawn))\" \(place)/>" }
        let number = number(of: rendition)
        return data[rendition.url] == nil ? nil : "<use href=\"#i\(number)\" \(place)/>"
    }

    private mutating func number(of image: PageImage.Rendition) -> Int {
        if let number = numbersOfURLs[image.url] { return number }
        let number = requestedURLs.count
        numbersOfURLs[image.url] = number
        requestedURLs.append(image.url)
        if let data = data[image.url] {
            let slice = "preserveAspectRatio=\"xMidYMid slice\""
            definitions +=
                "<symbol id=\"i\(number)\" viewBox=\"0 0 \(image.size.width) \(image.size.height)\" \(slice)>"
                + "<image width=\"\(image.size.width)\" height=\"\(image.size.height)\" \(slice) href=\"\(data.escaped)\"/></symbol>\n"
        }
        return number
    }

    private mutating func number(of drawn: Drawn) -> Int {
        if let number = numbers[drawn] { return number }
        let number = numbers.count
        numbers[drawn] = number
        let shapes = Artwork(high: drawn.id.high, low: drawn.id.low).shapes(drawn.role.sizes[0], prefix: "a\(number)")
        definitions +=
            "<symbol id=\"a\(number)\" viewBox=\"0 0 \(shapes.width.plain) 100\" preserveAspectRatio=\"xMidYMid slice\">\(shapes.svg)</symbol>\n"
        return number
    }

    /// Returns the icon or the hero that a server generates at a URL.
    private static func drawn(in url: String) -> Drawn? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 7, parts[..<4] == ["", "v1", "images", "\(Artwork.drawing)"], let id = UUID(String(parts[4])),
            let role = ArtworkRole(rawValue: String(parts[5])), role != .screenshot
        else { return nil }
        return Drawn(id: id, role: role)
    }
}

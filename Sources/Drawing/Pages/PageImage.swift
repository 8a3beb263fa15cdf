internal import Items
internal import JSON
internal import Layout

/// An image of a page: a template of a URL for several sizes.
struct PageImage: Sendable {
    /// The image in one size.
    struct Rendition: Sendable, Equatable {
        let url: String
        let size: ImageTemplate.Size
    }

    /// The pixels of a point, on the screen of a reader who enlarges the picture.
    private static let scale = 2.0

    private let source: ImageTemplate.Source
    /// The largest size.
    private let size: ImageTemplate.Size
    private let sizes: [ImageTemplate.Size]
    /// The color that a cell shows until its image is loaded, as `#RRGGBB`.
    let color: String?

    /// Returns nil if the image has no template or no valid size.
    init?(_ json: JSONNode) {
        let listed = (json["sizes"]?.elements.map(\.self) ?? []).compactMap { json -> ImageTemplate.Size? in
            let sides = json.elements.map(\.integer)
            return sides.count == 2 ? Self.size(sides[0], sides[1]) : nil
        }
        guard let template = json["template"]?.string, let size = Self.size(json["width"]?.integer, json["height"]?.integer) else {
            return nil
        }
        source = ImageTemplate.Source(template: template)
        self.size = size
        sizes = listed
        color = Self.color(json["color"]?.string)
    }

    /// Returns nil if a side is missing or out of range.
    private static func size(_ width: Int?, _ height: Int?) -> ImageTemplate.Size? {
        let range = 1...ImageTemplate.maxSide
        guard let width, let height, range.contains(width), range.contains(height) else { return nil }
        return ImageTemplate.Size(width: width, height: height)
    }

    /// Returns the text if it is a color, because it becomes a part of the picture's source.
    private static func color(_ text: String?) -> String? {
        guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        return text
    }

    /// Returns the image in the size that a client chooses for a frame that the image covers.
    func rendition(covering frame: Rectangle) -> Rendition {
        let shape = Double(size.width) / Double(size.height)
        let needed = (Self.scale * max(frame.width, frame.height * shape, 0.5)).rounded(.up)
        let chosen = ImageTemplate.Size.choice(among: sizes, upTo: size, width: Int(min(needed, Double(ImageTemplate.maxSide))))
        return Rendition(url: source.url(of: chosen), size: chosen)
    }
}

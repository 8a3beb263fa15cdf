internal import JSON
internal import Layout

/// An image of a page: a template of a URL for several sizes, or one URL.
struct PageImage: Sendable {
    /// A size in pixels.
    struct Size: Sendable {
        let width: Int
        let height: Int
    }

    /// The image in one size.
    struct Rendition: Sendable, Equatable {
        let url: String
        let width: Int
        let height: Int
    }

    /// The pixels of a point, on the screen of a reader who enlarges the picture.
    private static let scale = 2.0

    /// The URL, with `{w}` and `{h}` in place of the width and the height.
    let template: String
    /// The largest size. It is a square if the page has no valid size.
    let size: Size
    /// The sizes that exist, by width. Empty if each size up to the largest one exists.
    let sizes: [Size]
    /// The color that a cell shows until its image is loaded, as `#RRGGBB`.
    let color: String?

    /// Returns nil if the image has no URL.
    init?(_ json: JSONNode) {
        let size = Size(json["width"]?.integer, json["height"]?.integer)
        let listed = (json["sizes"]?.elements.map(\.self) ?? []).compactMap { json -> Size? in
            let sides = json.elements.map(\.integer)
            return sides.count == 2 ? Size(sides[0], sides[1]) : nil
        }
        if let template = json["template"]?.string {
            self.template = template
            sizes = listed.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
            guard let largest = size ?? sizes.last else { return nil }
            self.size = largest
        } else if let url = json["url"]?.string {
            template = url
            self.size = size ?? Size(width: 1, height: 1)
            sizes = [self.size]
        } else {
            return nil
        }
        color = Self.color(json["color"]?.string)
    }

    /// Returns the text if it is a color, because it becomes a part of the picture's source.
    private static func color(_ text: String?) -> String? {
        guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        return text
    }

    /// Returns the smallest size that is at least as wide as the image in a frame that it covers, or else the largest.
    func rendition(covering frame: Rectangle) -> Rendition {
        let shape = Double(size.width) / Double(size.height)
        let needed = (Self.scale * max(frame.width, frame.height * shape, 0.5)).rounded()
        let chosen = sizes.first { Double($0.width) >= needed } ?? sizes.last ?? scaled(toWidth: needed, shape)
        let url = template.replacing("{w}", with: "\(chosen.width)").replacing("{h}", with: "\(chosen.height)")
        return Rendition(url: url, width: chosen.width, height: chosen.height)
    }

    private func scaled(toWidth needed: Double, _ shape: Double) -> Size {
        guard needed < Double(size.width) else { return size }
        return Size(width: Int(needed), height: max(1, Int((needed / shape).rounded())))
    }
}

extension PageImage.Size {
    /// The length of the longest side that a page can name.
    private static let maxSide = 16_384

    /// Returns nil if a side is missing or out of range.
    fileprivate init?(_ width: Int?, _ height: Int?) {
        let range = 1...Self.maxSide
        guard let width, let height, range.contains(width), range.contains(height) else { return nil }
        self.init(width: width, height: height)
    }
}

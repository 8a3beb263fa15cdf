internal import JSON

/// A picture of an item; without an address the artwork that is made of the id.
package struct ItemImage: Sendable, Equatable {
    package let url: String?
    package let width: Int
    package let height: Int
    /// In capitals, such as #1A2B3C.
    package let color: String
    package let blurhash: String
}

/// The image of a file, which also has what the texts of the item take.
struct ItemImageReading: JSONDecodable {
    let image: ItemImage?
    let alt: [LocalizedText]

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let url = object.optional("url", as: String.self, .imageAddress)
        let width = object.optional("width", as: Int.self, .in(1...16_384))
        let height = object.optional("height", as: Int.self, .in(1...16_384))
        let color = object.optional("color", as: String.self, .color)
        let blurhash = object.optional("blurhash", as: String.self, .blurhash)
        alt = object.optionalTexts("alt", 1...500)
        try object.finish()
        if let width, let height, let color, let blurhash {
            image = ItemImage(url: url, width: width, height: height, color: color.uppercased(), blurhash: blurhash)
            return
        }
        guard url == nil, width == nil, height == nil, color == nil, blurhash == nil else {
            throw json.refuse(.missingKey, "an image has a width, a height, a color and a blurhash")
        }
        image = nil
    }
}

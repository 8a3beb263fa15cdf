internal import JSON

/// An image and its placeholder while it loads.
package struct ItemImage: Sendable, Equatable {
    /// The URL, or nil if the item uses the artwork that is generated from its ID.
    package let url: String?
    package let width: Int
    package let height: Int
    /// The color in upper-case hexadecimal, such as `#1A2B3C`.
    package let color: String
    package let blurhash: String

    func encodeMembers(to json: inout JSONWriter) {
        json.member("url", url)
        json.member("width", width)
        json.member("height", height)
        json.member("color", color)
        json.member("blurhash", blurhash)
    }
}

/// The image field of a record, with the texts that become part of the texts of the item.
struct ImageMember: JSONDecodable {
    let image: ItemImage?
    let alt: [LocaleText]

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let url = object.optional("url", .imageAddress)
        let width = object.optional("width", as: Int.self, object.ifStrict(.in(1...16_384)))
        let height = object.optional("height", as: Int.self, object.ifStrict(.in(1...16_384)))
        let color = object.optional("color", .color)
        let blurhash = object.optional("blurhash", .blurhash)
        alt = object.optionalTexts("alt", 1...500)
        try object.finish()
        if let width, let height, let color, let blurhash {
            image = ItemImage(url: url, width: width, height: height, color: color.uppercased(), blurhash: blurhash)
            return
        }
        guard url == nil, width == nil, height == nil, color == nil, blurhash == nil else {
            throw json.refuse(.missingKey, "an image requires a width, a height, a color and a blurhash")
        }
        image = nil
    }
}

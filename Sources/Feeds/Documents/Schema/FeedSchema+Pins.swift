internal import Items
internal import JSON
internal import Layout
internal import Values

/// The definitions of pins with their cards, actions and images.
extension FeedSchema {
    static var pins: [JSONValue.Property] {
        let pin = JSONValue.closed(
            [
                ("slot", .integer(0...FeedSection.maxSize - 1)), ("item", .reference("itemReference")), ("show", .reference("appearance")),
                ("card", .reference("card")), ("target", .reference("target")),
            ], required: ["slot"], ("oneOf", .array([.members(("required", ["item"])), .members(("required", ["card"]))])),
            ("dependentRequired", .members(("show", ["item"]))))
        let card = JSONValue.closed(
            [
                ("key", .identifier(.key)), ("kicker", .reference("localizedText")), ("title", .reference("localizedText")),
                ("subtitle", .reference("localizedText")), ("body", .reference("localizedBody")), ("image", .reference("image")),
                ("action", .reference("action")),
            ], required: ["key"], ("anyOf", .array([.members(("required", ["title"])), .members(("required", ["image"]))])))
        let appearance = JSONValue.closed(
            [
                ("title", .reference("localizedText")), ("subtitle", .reference("localizedText")), ("image", .reference("image")),
                ("action", .reference("action")),
            ], ("minProperties", 1))
        return [
            ("pin", pin), ("card", card), ("appearance", appearance), ("action", action),
            ("localizedBody", .map(from: .reference("locale"), to: body)), ("image", image),
            ("imageSource", .closed(source, required: ["template"])),
        ]
    }

    private static var action: JSONValue {
        let key = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
        let properties = Action.Kind.allCases.map { kind -> JSONValue.Property in
            let schema: JSONValue =
                switch kind {
                case .item: .reference("itemReference")
                case .feed, .story: .identifier(.key)
                case .list: .pattern("^(?=[^/]{1,64}/[^/]{1,64}$)\(key)/\(key)$")
                case .search: .line(Action.maxSearchCharacters)
                case .url:
                    .text(
                        Action.maxURLBytes,
                        #"^(?!(\#(Action.forbiddenSchemes.joined(separator: "|"))):)[a-z][a-z0-9+.-]*:[\x21-\x7e]+$"#)
                }
            return (kind.rawValue, schema)
        }
        return .choice(properties)
    }

    private static var body: JSONValue {
        .text(LocalizedText.Form.body.maxCharacters, #"^[ \n]*[^ \x00-\x1f\x7f-\x9f][^\x00-\x09\x0b-\x1f\x7f-\x9f]*$"#)
    }

    private static var image: JSONValue {
        let side = JSONValue.integer(1...ImageTemplate.maxSide)
        let alt = JSONValue.line(ImageTemplate.maxAltCharacters)
        let dark: [JSONValue.Property] = [("dark", .reference("imageSource"))]
        let locales = JSONValue.members(
            ("type", .string("object")), ("propertyNames", .reference("locale")),
            ("additionalProperties", .closed(source + dark, required: ["template"])))
        let properties: [JSONValue.Property] = [
            ("width", side), ("height", side), ("sizes", .distinct(.pair(side, side), 1...ImageTemplate.maxSizes)),
            ("alt", .any(of: alt, .map(from: .reference("locale"), to: alt))), ("locales", locales),
        ]
        return .closed(source + properties + dark, required: ["template", "width", "height"])
    }

    /// The URL of an image, with the placeholder until it is loaded.
    private static var source: [JSONValue.Property] {
        let withSize = #"(?=.*\{w\})(?!.*\{w\}.*\{w\})(?=.*\{h\})(?!.*\{h\}.*\{h\})"#
        let template = #"^(\#(withSize)|(?!.*\{[wh]\}))(https:/)?/[\x21-\x2e\x30-\x7e][\x21-\x7e]*$"#
        return [
            ("template", .text(2_048, template)), ("color", .color),
            ("blurhash", .pattern(#"^[0-9A-Za-z#$%*+,.:;=?@\[\]^_{|}~\-]{6,128}$"#)),
        ]
    }
}

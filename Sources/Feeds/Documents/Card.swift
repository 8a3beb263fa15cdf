package import Items
package import JSON
internal import Values

/// An element of a section that is not an item: texts or an image, with an action.
package struct Card: Sendable, Hashable {
    package let key: CardKey
    /// The short text above the title.
    package let kicker: LocalizedText?
    package let title: LocalizedText?
    package let subtitle: LocalizedText?
    /// The long text, which only the cards of stories have.
    package let body: LocalizedText?
    package let image: ImageTemplate?
    package let action: Action?
}

extension Card: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let key = object.required("key", as: CardKey.self)
        kicker = object.optional("kicker")
        title = object.optional("title")
        subtitle = object.optional("subtitle")
        body = object.optional("body") { body throws(JSONReadError) in try LocalizedText(body, .body) }
        image = object.optional("image")
        action = object.optional("action")
        if !object.has("title"), !object.has("image") {
            object.report(.missingKey, at: "title", "a card needs a title or an image")
        }
        self.key = try key()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("key", key)
        json.member("kicker", kicker)
        json.member("title", title)
        json.member("subtitle", subtitle)
        json.member("body", body)
        json.member("image", image)
        json.member("action", action)
    }

    /// The texts, by the key of each in a document.
    package var texts: [(key: String, text: LocalizedText)] {
        [("kicker", kicker), ("title", title), ("subtitle", subtitle), ("body", body)].compactMap { key, text in text.map { (key, $0) } }
    }
}

/// The texts, the image and the action that a pinned item has instead of its own.
package struct ItemAppearance: Sendable, Hashable {
    package let title: LocalizedText?
    package let subtitle: LocalizedText?
    package let image: ImageTemplate?
    package let action: Action?
}

extension ItemAppearance: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        title = object.optional("title")
        subtitle = object.optional("subtitle")
        image = object.optional("image")
        action = object.optional("action")
        try object.finish()
        guard !json.isStrict || json.node.count > 0 else {
            throw json.refuse(.invalidCount, "expected a title, a subtitle, an image or an action", hint: "omit \"show\"")
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title", title)
        json.member("subtitle", subtitle)
        json.member("image", image)
        json.member("action", action)
    }

    /// The texts, by the key of each in a document.
    package var texts: [(key: String, text: LocalizedText)] {
        [("title", title), ("subtitle", subtitle)].compactMap { key, text in text.map { (key, $0) } }
    }
}

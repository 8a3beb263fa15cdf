internal import JSON
internal import Values

/// The images of an item, by role. A role is a slug: `icon`, `hero`, `screenshot`, or another one that a curator uses.
package struct ItemImages: Sendable, Equatable {
    package static let maxRoles = 10
    /// The maximum number of images of a role other than `icon` and `hero`, which have one.
    package static let maxImages = 20

    /// The images of each role, in their order.
    private let roles: [String: [ImageTemplate]]

    /// Creates the images by role. The icon has no texts in `alt`: they are part of the texts of the item.
    init(icon: ImageTemplate?, _ others: [String: [ImageTemplate]]) {
        var roles = others
        if let icon { roles[Self.icon] = [icon] }
        self.roles = roles
    }

    fileprivate static let icon = "icon"
    fileprivate static let hero = "hero"

    /// The square image of the item. nil if it is the artwork that is generated from the ID of the item.
    package var icon: ImageTemplate? { roles[Self.icon]?.first }

    /// The images of all roles but the icon, as in the field `images` of a record. nil if the item has no other images.
    var others: Roles? {
        let others = roles.filter { $0.key != Self.icon }
        return others.isEmpty ? nil : Roles(roles: others)
    }

    /// All images, with their roles and their positions within the role.
    package var all: [(role: String, place: Int, image: ImageTemplate)] {
        guard !roles.isEmpty else { return [] }
        return roles.sorted { $0.key < $1.key }.flatMap { role, images in
            images.enumerated().map { (role: role, place: $0.offset, image: $0.element) }
        }
    }

    /// The field `images` of a record: an object from roles to images.
    struct Roles {
        let roles: [String: [ImageTemplate]]
    }
}

extension ItemImages.Roles: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        let values = try json.values()
        guard !json.isStrict || json.node.count <= ItemImages.maxRoles else {
            throw json.refuse(.invalidCount, "expected at most \(ItemImages.maxRoles) roles")
        }
        var roles: [String: [ImageTemplate]] = [:]
        var failure: JSONReadError?
        for value in values {
            do throws(JSONReadError) {
                roles[value.key] = try Self.images(value)
            } catch {
                failure = error
            }
        }
        if let failure, json.isStrict { throw failure }
        self.roles = roles
    }

    /// Returns the images of the role that is the key of the value.
    private static func images(_ json: JSONReader) throws(JSONReadError) -> [ImageTemplate] {
        if json.isStrict {
            guard IdentifierFormat.slug.fits(json.key) else {
                throw json.refuse(.invalidFormat, "expected a role such as hero as the key: \(IdentifierFormat.slug.expected)")
            }
            guard json.key != ItemImages.icon else {
                throw json.refuse(.unknownKey, "the icon is the field \"image\"", hint: "move it out of \"images\"")
            }
        }
        guard json.kind == .array, json.key != ItemImages.hero else { return [try json.decode(as: ImageTemplate.self)] }
        guard !json.isStrict || 1...ItemImages.maxImages ~= json.node.count else {
            throw json.refuse(.invalidCount, "expected 1 to \(ItemImages.maxImages) images, found \(json.node.count)")
        }
        let images = try json.lossyList { element throws(JSONReadError) in try element.decode(as: ImageTemplate.self) }
        guard !images.isEmpty else { throw json.refuse(.invalidCount, "expected at least one image") }
        return images
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            for (role, images) in roles.sorted(by: { $0.key < $1.key }) {
                if role == ItemImages.hero, let hero = images.first { json.member(role, hero) } else { json.member(role, images) }
            }
        }
    }
}

/// The field `image` of a record: the icon, with its descriptions, which are part of the texts of the item. An item with
/// generated artwork can have descriptions alone.
struct IconField: JSONDecodable, JSONEncodable {
    let icon: ImageTemplate?
    let alt: [LocaleText]

    /// Returns nil if the field is empty.
    init?(icon: ImageTemplate?, alt: [LocaleText]) {
        guard icon != nil || !alt.isEmpty else { return nil }
        (self.icon, self.alt) = (icon, alt)
    }

    init(from json: JSONReader) throws(JSONReadError) {
        guard var image = try Self.image(json) else {
            var object = try json.object()
            alt = object.optionalTexts("alt", 1...ImageTemplate.maxAltCharacters)
            icon = nil
            try object.finish()
            return
        }
        alt = image.altTexts
        image.alt = [:]
        icon = image
    }

    /// Returns nil if the field has only descriptions, or if a lenient reading cannot read its image. The descriptions are then
    /// those of the artwork.
    private static func image(_ json: JSONReader) throws(JSONReadError) -> ImageTemplate? {
        guard json.kind == .object, json.node.members.contains(where: { !$0.hasKey("alt") }) else { return nil }
        do throws(JSONReadError) {
            return try json.decode(as: ImageTemplate.self)
        } catch {
            guard json.isStrict else { return nil }
            throw error
        }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            guard var image = icon else { return json.member("alt", alt) }
            image.alt = Dictionary(alt.map { ($0.locale, $0.text) }, uniquingKeysWith: { first, _ in first })
            image.encodeMembers(to: &json)
        }
    }
}

package import Artwork
package import JSON
internal import Values

/// The only rendering of an item: as clients of a storefront receive it, in one locale.
///
/// The values are copied from the published document. Only generated artwork, prices, age ratings and opening hours are made
/// from it.
package struct RenderedItem: JSONEncodable {
    private let item: Item
    private let storefront: Storefront
    private let locales: LocaleFallback
    /// Whether it has the fields that lists, pages and sync omit: the screenshots.
    private let isComplete: Bool
    /// The artwork with its placeholder, if it is the icon.
    private let drawing: (artwork: Artwork, placeholder: Placeholder)?

    /// Renders an item. `placeholder` is called only if the item has no icon.
    package init(
        _ item: Item, in storefront: Storefront, _ locales: LocaleFallback, isComplete: Bool = false,
        placeholder: (Artwork) -> Placeholder = { $0.placeholder }
    ) {
        self.item = item
        self.storefront = storefront
        self.locales = locales
        self.isComplete = isComplete
        let artwork = item.hasIcon ? nil : item.artwork
        drawing = artwork.map { ($0, placeholder($0)) }
    }

    /// Encodes the item with its ID, as an element of a list.
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.key("id")
            $0.string(item.id)
            encodeMembers(to: &$0)
        }
    }

    /// Encodes the item without its ID, for a container that uses the ID as the key. If its document cannot be parsed, the writer
    /// fails at its end.
    package func encodeMembers(to json: inout JSONWriter) {
        let parsed = item.parsed
        if let failure = parsed.failure { json.fail(with: failure) }
        var fields = parsed.fields
        json.member("kind", item.kind)
        json.member("version", item.version)
        json.member("serialNumber", fields.value("serialNumber")?.integer)
        json.member(copying: "slug", of: &fields)
        let title = fields.value("title").flatMap { locales.pick($0) }
        json.member("title", copying: title?.text)
        let subtitles = fields.value("subtitle")
        json.member("subtitle", copying: title.flatMap { title in subtitles?.text(in: title.locale) })
        encodeImages(fields.value("image"), fields.value("images"), to: &json)
        json.member(copying: "categories", of: &fields)
        json.member("rating", fields.value("rating").flatMap { ItemRating($0) })
        switch item.kind {
        case .topApp: encodeTopApp(&fields, to: &json)
        case .foodApp: encodeFoodApp(&fields, to: &json)
        }
    }

    private func encodeTopApp(_ fields: inout JSONMemberSearch, to json: inout JSONWriter) {
        let free = ShownPrice(amount: Money(amountMinor: 0, currency: storefront.currency))
        json.member("price", item.price(.price, in: storefront.key, &fields) ?? free)
        // Searched in the order of the document.
        let bundleID = fields.value("bundleId")
        json.member(copying: "developer", of: &fields)
        json.member(copying: "appVersion", of: &fields)
        json.member("bundleId", copying: bundleID)
        json.member("sizeBytes", fields.value("sizeBytes")?.integer)
        if let platforms = fields.value("platforms") { encodePlatforms(platforms, &fields, to: &json) }
        json.member("ageRating", ageRating(&fields))
        json.member(copying: "releaseDate", of: &fields)
        json.member("homepage", copyingText: fields.value("homepage"))
    }

    private func ageRating(_ fields: inout JSONMemberSearch) -> ShownAgeRating? {
        let (schemes, scheme) = (storefront.ratingSchemes, storefront.ratingScheme)
        let labels = fields.value("ageRatings")
        if let own = labels?[scheme]?.string, let rating = schemes.rating(labeled: own, in: scheme) { return rating }
        return schemes.rating(AgeRating.list(labels) ?? AgeRating.list(standard: fields.value("ageRating")), in: scheme)
    }

    /// Encodes the platforms sorted by key, each with the version of the operating system that it needs. A list of keys has one
    /// version for all of them.
    private func encodePlatforms(_ platforms: JSONNode, _ fields: inout JSONMemberSearch, to json: inout JSONWriter) {
        json.key("platforms")
        json.startObject()
        if platforms.kind == .object {
            for platform in platforms.members.sorted(by: { $0.precedes($1) }) {
                json.key(copying: platform)
                json.object { $0.member("minimumOsVersion", copyingText: platform.value["minimumOsVersion"]) }
            }
        } else {
            let minimumOS = fields.value("minimumOsVersion")
            for key in platforms.elements.compactMap(\.string).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                json.member(key) { $0.member("minimumOsVersion", copyingText: minimumOS) }
            }
        }
        json.endObject()
    }

    private func encodeFoodApp(_ fields: inout JSONMemberSearch, to json: inout JSONWriter) {
        let minimumOrder = item.price(.minimumOrder, in: storefront.key, &fields)
        let deliveryFee = item.price(.deliveryFee, in: storefront.key, &fields)
        json.member(copying: "brand", of: &fields)
        json.member(copying: "cuisines", of: &fields)
        let dietaryTags = fields.value("dietaryTags").flatMap { $0.isListOfTexts ? $0 : nil }
        if let dietaryTags { json.member("dietaryTags", copying: dietaryTags) } else { json.member("dietaryTags", [String]()) }
        let minutes = fields.value("deliveryMinutes")
        json.member("deliveryMinutes") { json in
            for end in ["from", "to"] { json.member(end, minutes?[end]?.integer) }
        }
        json.member("priceBand", fields.value("priceBand")?.integer)
        json.member("minimumOrder", minimumOrder)
        json.member("deliveryFee", deliveryFee)
        let hours = OpeningHours(published: fields.value("openMinutes"))
        json.member("openingHours") { json in
            let timeZone = fields.value("timeZone")
            if let timeZone, timeZone.kind == .string {
                json.member("timeZone", copying: timeZone)
            } else {
                json.member("timeZone", storefront.timeZone)
            }
            json.member("spans", hours.entries)
        }
        json.member("releaseDate", copyingText: fields.value("releaseDate"))
    }
}

// MARK: Images

extension RenderedItem {
    private func encodeImages(_ icon: JSONNode?, _ others: JSONNode?, to json: inout JSONWriter) {
        let hero = others?["hero"].flatMap { PublishedImage($0) }
        if let drawing {
            let text = drawing.artwork.alternativeTextParts(locales.drawn.text)
            if let alt = icon?["alt"].flatMap({ locales.pick($0)?.text }) {
                encode(drawing.placeholder, .icon, to: &json) { $0.member("alt", copying: alt) }
            } else {
                encode(drawing.placeholder, .icon, to: &json) { $0.member("alt", text) }
            }
            if hero == nil { encode(drawing.placeholder, .hero, to: &json) { $0.member("alt", text) } }
        } else {
            encode(icon.flatMap { PublishedImage($0) }, as: "image", to: &json)
        }
        encode(hero, as: "hero", to: &json)
        guard isComplete, let screenshots = others?["screenshot"] else { return }
        let list = screenshots.kind == .array ? Array(screenshots.elements) : [screenshots]
        let images = list.compactMap { PublishedImage($0) }
        guard !images.isEmpty else { return }
        json.member("screenshots", each: images) { json, image in
            json.object { image.encodeMembers(to: &$0, in: locales) }
        }
    }

    private func encode(_ image: PublishedImage?, as key: String, to json: inout JSONWriter) {
        guard let image else { return }
        json.member(key) { image.encodeMembers(to: &$0, in: locales) }
    }

    /// Encodes the artwork in a role. Both roles have the placeholder of the icon, because they show the same motif in the same
    /// colors.
    private func encode(_ placeholder: Placeholder, _ role: ArtworkRole, to json: inout JSONWriter, alt: (inout JSONWriter) -> Void) {
        json.key(role == .hero ? "hero" : "image")
        json.startObject()
        json.key("template")
        json.string(Self.drawings, item.id, role == .hero ? "/hero/{w}x{h}.png" : "/icon/{w}x{h}.png")
        json.member("color", placeholder.color)
        json.member("blurhash", placeholder.blurhash)
        json.members(copying: role == .hero ? Self.heroSizes : Self.iconSizes)
        alt(&json)
        json.endObject()
    }

    private static let drawings = "/v1/images/\(Artwork.drawing)/"
    private static let iconSizes = sizes(of: .icon)
    private static let heroSizes = sizes(of: .hero)

    /// Returns an object with the members of an image that all drawings in a role share: its size and all its sizes.
    private static func sizes(of role: ArtworkRole) -> JSONNode {
        let sizes = role.sizes.map { ImageTemplate.Size(width: $0.width, height: $0.height) }
        var json = JSONWriter()
        json.object { $0.sizeMembers(sizes[sizes.count - 1], sizes) }
        do throws(JSONError) {
            return try JSONDocument(parsing: json.finish(), limits: .ownOutput).root
        } catch {
            preconditionFailure("the sizes of a drawing are not JSON: \(error)")
        }
    }
}

extension JSONWriter {
    /// Writes a member with a string in parts.
    fileprivate mutating func member(_ key: String, _ parts: (String, String, String)) {
        self.key(key)
        string(parts.0, parts.1, parts.2)
    }
}

extension Item {
    /// The artwork that is the icon of an item without its own.
    package var artwork: Artwork { Artwork(high: id.high, low: id.low) }
}

package import Artwork
package import JSON
internal import Values

/// The only rendering of an item: as clients of a storefront receive it, in one locale.
package struct RenderedItem: JSONEncodable {
    package let item: Item
    let storefront: Storefront
    let locales: LocaleFallback
    /// Whether it has the fields that lists, pages and sync omit: the screenshots.
    private let isComplete: Bool
    /// The placeholder of the artwork, if the artwork is the icon.
    private let placeholder: Placeholder?

    /// Renders an item. `placeholder` is called only if the item has no icon.
    package init(
        _ item: Item, in storefront: Storefront, _ locales: LocaleFallback, isComplete: Bool = false,
        placeholder: (Artwork) -> Placeholder = { $0.placeholder }
    ) {
        self.item = item
        self.placeholder = item.content.images.icon == nil ? placeholder(item.artwork) : nil
        self.storefront = storefront
        self.locales = locales
        self.isComplete = isComplete
    }

    /// Encodes the item with its ID, as an element of a list.
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("id", item.id.description)
            encodeMembers(to: &$0)
        }
    }

    /// Encodes the item without its ID, for a container that uses the ID as the key.
    package func encodeMembers(to json: inout JSONWriter) {
        let text = locales.pick(item.content.texts) { $0 }
        json.member("kind", item.content.kind)
        json.member("version", item.version)
        json.member("serialNumber", item.serialNumber)
        json.member("slug", item.slug)
        json.member("title", text?.title)
        json.member("subtitle", text?.subtitle)
        encodeImages(to: &json)
        json.member("categories", item.content.categories)
        json.member("rating", item.content.rating)
        switch item.content.details {
        case .topApp(let app): encode(app, to: &json)
        case .foodApp(let app): encode(app, to: &json)
        }
    }

    private func encodeImages(to json: inout JSONWriter) {
        let images = item.content.images
        let alt = locales.pick(item.content.texts, \.imageAlt)
        if let icon = images.icon {
            json.member("image") { icon.encodeMembers(to: &$0, in: locales, alt: alt) }
        } else {
            json.member("image") { drawn(.icon).encodeMembers(to: &$0, in: locales, alt: alt ?? artworkText) }
        }
        if let hero = images.hero {
            json.member("hero") { hero.encodeMembers(to: &$0, in: locales) }
        } else if images.icon == nil {
            json.member("hero") { drawn(.hero).encodeMembers(to: &$0, in: locales, alt: artworkText) }
        }
        guard isComplete, !images.screenshots.isEmpty else { return }
        json.member("screenshots", each: images.screenshots) { json, screenshot in
            json.object { screenshot.encodeMembers(to: &$0, in: locales) }
        }
    }

    /// Returns the artwork in a role as an image. Both roles have the placeholder of the icon, because they show the same
    /// motif in the same colors.
    private func drawn(_ role: ArtworkRole) -> ImageTemplate {
        let template = "/v1/images/\(Artwork.drawing)/\(item.id)/\(role.rawValue)/{w}x{h}.png"
        let source = ImageTemplate.Source(template: template, color: placeholder?.color, blurhash: placeholder?.blurhash)
        let sizes = role == .hero ? Self.heroSizes : Self.iconSizes
        return ImageTemplate(ImageTemplate.Appearances(light: source), size: sizes[sizes.count - 1], sizes: sizes)
    }

    private static let iconSizes = sizes(of: .icon)
    private static let heroSizes = sizes(of: .hero)

    private static func sizes(of role: ArtworkRole) -> [ImageTemplate.Size] {
        role.sizes.map { ImageTemplate.Size(width: $0.width, height: $0.height) }
    }

    /// The description of the artwork. The content of other images is unknown.
    private var artworkText: String { item.artwork.alternativeText(locales.drawn.text) }

    private func encode(_ app: TopApp, to json: inout JSONWriter) {
        json.member("price", price(.price) ?? ShownPrice(amount: Money(amountMinor: 0, currency: storefront.currency)))
        json.member("developer", app.developer)
        json.member("appVersion", app.appVersion)
        json.member("bundleId", app.bundleID)
        json.member("sizeBytes", app.sizeBytes)
        app.platforms.encode(to: &json, as: "platforms")
        json.member("ageRating", storefront.ratingSchemes.rating(app.ageRatings, in: storefront.ratingScheme))
        json.member("releaseDate", app.releaseDate)
        json.member("homepage", app.homepage)
    }

    private func encode(_ app: FoodApp, to json: inout JSONWriter) {
        json.member("brand", app.brand)
        json.member("cuisines", app.cuisines)
        json.member("dietaryTags", app.dietaryTags)
        json.member("deliveryMinutes", DeliveryMinutes(range: app.deliveryMinutes))
        json.member("priceBand", app.priceBand)
        json.member("minimumOrder", price(.minimumOrder))
        json.member("deliveryFee", price(.deliveryFee))
        json.member("openingHours") { json in
            json.member("timeZone", app.timeZone ?? storefront.timeZone)
            json.member("spans", app.openingHours.entries)
        }
        json.member("releaseDate", app.releaseDate)
    }

    private func price(_ role: ItemPrice.Role) -> ShownPrice? { item.content.price(role, in: storefront.key) }
}

extension Item {
    /// The artwork that is the icon of an item without its own.
    package var artwork: Artwork { Artwork(high: id.high, low: id.low) }
}

package import Artwork
package import JSON
internal import Values

/// An item as the clients of a storefront see it, in one locale; there is no other rendering.
package struct RenderedItem: JSONEncodable {
    package let item: Item
    let storefront: Storefront
    let locales: LocaleFallback
    /// Of the artwork, where that is the image.
    private let placeholder: Placeholder?

    /// `placeholder` is asked where the item brings no image.
    package init(
        _ item: Item, in storefront: Storefront, _ locales: LocaleFallback, placeholder: (Artwork) -> Placeholder = { $0.placeholder }
    ) {
        self.item = item
        self.placeholder = item.content.image == nil ? placeholder(item.artwork) : nil
        self.storefront = storefront
        self.locales = locales
    }

    /// With its id, as an element of a list.
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("id", item.id.description)
            encodeMembers(to: &$0)
        }
    }

    /// Without its id, for where that is the key.
    package func encodeMembers(to json: inout JSONWriter) {
        let text = locales.pick(item.content.texts) { $0 }
        json.member("kind", item.content.kind)
        json.member("version", item.version)
        json.member("serialNumber", item.serialNumber)
        json.member("slug", item.slug)
        json.member("title", text?.title)
        json.member("subtitle", text?.subtitle)
        json.member("image") { encodeImage(to: &$0) }
        json.member("categories", item.content.categories)
        json.member("rating", item.content.rating)
        switch item.content.details {
        case .topApp(let app): encode(app, to: &json)
        case .foodApp(let app): encode(app, to: &json)
        }
    }

    private func encodeImage(to json: inout JSONWriter) {
        json.member("url", item.content.image?.url ?? "/v1/images/\(item.id)/icon")
        json.member("width", item.content.image?.width ?? Self.artworkSize)
        json.member("height", item.content.image?.height ?? Self.artworkSize)
        json.member("color", item.content.image?.color ?? placeholder?.color)
        json.member("blurhash", item.content.image?.blurhash ?? placeholder?.blurhash)
        json.member("alt", locales.pick(item.content.texts, \.imageAlt) ?? artworkText)
    }

    /// What the artwork shows. What another image shows, nobody has said.
    private var artworkText: String? {
        guard item.content.image?.url == nil else { return nil }
        return item.artwork.alternativeText(locales.drawn.text)
    }

    private func encode(_ app: TopApp, to json: inout JSONWriter) {
        json.member("price", amount(.price) ?? Money(amountMinor: 0, currency: storefront.currency))
        json.member("developer", app.developer)
        json.member("appVersion", app.appVersion)
        json.member("bundleId", app.bundleID)
        json.member("sizeBytes", app.sizeBytes)
        json.member("minimumOsVersion", app.minimumOS)
        json.member("platforms", app.platforms)
        json.member("ageRating", app.ageRating)
        json.member("releaseDate", app.releaseDate)
        json.member("homepage", app.homepage)
    }

    private func encode(_ app: FoodApp, to json: inout JSONWriter) {
        json.member("brand", app.brand)
        json.member("cuisines", app.cuisines)
        json.member("dietaryTags", app.dietaryTags)
        json.member("deliveryMinutes", DeliveryMinutes(range: app.deliveryMinutes))
        json.member("priceBand", app.priceBand)
        json.member("minimumOrder", amount(.minimumOrder))
        json.member("deliveryFee", amount(.deliveryFee))
        json.member("openingHours", app.openingHours.entries)
        json.member("releaseDate", app.releaseDate)
    }

    private func amount(_ role: ItemPrice.Role) -> Money? {
        item.content.prices.first { $0.storefront == storefront.key && $0.role == role }?.amount
    }

    /// Of the artwork that is made of an id.
    private static let artworkSize = 512
}

extension Item {
    /// What is its image, where it brings none.
    package var artwork: Artwork { Artwork(high: id.high, low: id.low) }
}

package import Artwork
package import JSON
internal import Values

/// The only rendering of an item: as clients of a storefront receive it, in one locale.
package struct RenderedItem: JSONEncodable {
    package let item: Item
    let storefront: Storefront
    let locales: LocaleFallback
    /// The placeholder of the artwork, if the artwork is the image.
    private let placeholder: Placeholder?

    /// Renders an item. `placeholder` is called only if the item has no image.
    package init(
        _ item: Item, in storefront: Storefront, _ locales: LocaleFallback, placeholder: (Artwork) -> Placeholder = { $0.placeholder }
    ) {
        self.item = item
        self.placeholder = item.content.image == nil ? placeholder(item.artwork) : nil
        self.storefront = storefront
        self.locales = locales
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
        json.member("image") { encodeImage(to: &$0) }
        json.member("categories", item.content.categories)
        json.member("rating", item.content.rating)
        switch item.content.details {
        case .topApp(let app): encode(app, to: &json)
        case .foodApp(let app): encode(app, to: &json)
        }
    }

    private func encodeImage(to json: inout JSONWriter) {
        let drawn = "/v1/images/\(Artwork.drawing)/\(item.id)/icon/\(Self.artworkSize)x\(Self.artworkSize).png"
        json.member("url", item.content.image?.url ?? drawn)
        json.member("width", item.content.image?.width ?? Self.artworkSize)
        json.member("height", item.content.image?.height ?? Self.artworkSize)
        json.member("color", item.content.image?.color ?? placeholder?.color)
        json.member("blurhash", item.content.image?.blurhash ?? placeholder?.blurhash)
        json.member("alt", locales.pick(item.content.texts, \.imageAlt) ?? artworkText)
    }

    /// The description of the artwork, or nil if the image is not the artwork. The content of other images is unknown.
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

    /// The width and height of the artwork that is generated from an ID, in pixels.
    private static let artworkSize = 480
}

extension Item {
    /// The artwork that is the image of an item without its own.
    package var artwork: Artwork { Artwork(high: id.high, low: id.low) }
}

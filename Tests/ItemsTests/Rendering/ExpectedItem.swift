import Artwork
import JSON
import Values

@testable import Items

/// An item as clients receive it, rendered from the values of its document instead of its text.
struct ExpectedItem: JSONEncodable {
    let item: ItemDocument
    let version: Int
    let storefront: Storefront
    let locales: LocaleFallback
    let isComplete: Bool

    private var content: ItemContent { item.content }
    private var images: [String: [ImageTemplate]] {
        Dictionary(grouping: content.images.all, by: \.role).mapValues { $0.map(\.image) }
    }
    private var artwork: Artwork { Artwork(high: item.id.high, low: item.id.low) }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", item.id.description)
            let text = pick { $0 }
            json.member("kind", content.kind)
            json.member("version", version)
            json.member("serialNumber", item.serialNumber)
            json.member("slug", item.slug)
            json.member("title", text?.title)
            json.member("subtitle", text?.subtitle)
            encodeImages(to: &json)
            json.member("categories", content.categories)
            json.member("rating", content.rating)
            switch content.details {
            case .topApp(let app): encode(app, to: &json)
            case .foodApp(let app): encode(app, to: &json)
            }
        }
    }

    private func pick<Value>(_ part: (ItemText) -> Value?) -> Value? {
        for tag in locales.order {
            if let text = content.texts.first(where: { $0.locale == tag }), let value = part(text) { return value }
        }
        return content.texts.lazy.compactMap(part).first
    }

    private func encodeImages(to json: inout JSONWriter) {
        let (alt, drawnText) = (pick(\.imageAlt), artwork.alternativeText(locales.drawn.text))
        let icon = images["icon"]?.first
        encode(icon ?? drawn(.icon), as: "image", alt: icon == nil ? alt ?? drawnText : alt, to: &json)
        if let hero = images["hero"]?.first {
            encode(hero, as: "hero", alt: locales.pick(hero.alt), to: &json)
        } else if icon == nil {
            encode(drawn(.hero), as: "hero", alt: drawnText, to: &json)
        }
        guard isComplete, let screenshots = images["screenshot"] else { return }
        json.member("screenshots", each: screenshots) { json, image in
            json.object { encodeMembers(of: image, alt: locales.pick(image.alt), to: &$0) }
        }
    }

    private func encode(_ image: ImageTemplate, as key: String, alt: String?, to json: inout JSONWriter) {
        json.member(key) { encodeMembers(of: image, alt: alt, to: &$0) }
    }

    private func encodeMembers(of image: ImageTemplate, alt: String?, to json: inout JSONWriter) {
        let shown = locales.chain.lazy.compactMap { image.locales[$0] }.first ?? image.standard
        shown.light.encodeMembers(to: &json)
        json.member("width", image.size.width)
        json.member("height", image.size.height)
        json.member("sizes", image.sizes.map { [$0.width, $0.height] }, unless: [])
        json.member("alt", alt)
        json.member("dark", shown.dark)
    }

    private func drawn(_ role: ArtworkRole) -> ImageTemplate {
        let sizes = role.sizes.map { ImageTemplate.Size(width: $0.width, height: $0.height) }
        let template = "/v1/images/\(Artwork.drawing)/\(item.id)/\(role.rawValue)/{w}x{h}.png"
        let source = ImageTemplate.Source(template: template, color: Self.placeholder.color, blurhash: Self.placeholder.blurhash)
        return ImageTemplate(ImageTemplate.Appearances(light: source), size: sizes[sizes.count - 1], sizes: sizes)
    }

    /// The placeholder of every artwork, because real ones take a millisecond each.
    static let placeholder = Artwork(high: 1, low: 2).placeholder

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

    private func price(_ role: ItemPrice.Role) -> ShownPrice? {
        let periods = content.pricePeriods.filter { $0.storefront == storefront.key && $0.role == role }
        if let period = periods.first(where: { $0.from == nil }) {
            return ShownPrice(amount: period.amount, previousMinor: period.previousMinor, until: period.until)
        }
        return content.prices.first { $0.storefront == storefront.key && $0.role == role }.map { ShownPrice(amount: $0.amount) }
    }

    /// The next time at which the clock changes a price.
    var nextPriceChange: Timestamp? {
        content.pricePeriods.filter { $0.storefront == storefront.key }.map { $0.from ?? $0.until }.min()
    }
}

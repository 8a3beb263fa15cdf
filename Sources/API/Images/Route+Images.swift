internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Postgres

extension Route {
    /// The drawn pictures of items that bring none of their own. They follow from the id alone, so that every id has them and no table is read.
    ///
    /// A drawing is shapes and gradients, and what every answer says of scripts, styles and frames holds for it as well, also where somebody
    /// opens it as a page.
    package static let images = Route(.get, "/v1/images/{id}/{variant}") { call throws(Problem) in
        let id = try call.parameters.value("id", as: UUID.init)
        let variant = try call.parameters.value("variant", as: ArtworkVariant.init(rawValue:))
        let drawing = Artwork(high: id.high, low: id.low).svg(variant)
        let immutable = ResponseField(.cacheControl, "public, max-age=31536000, immutable")
        let representation = Representation(
            drawing, type: "image/svg+xml", version: String(drawing.fingerprint, radix: 36), fields: [immutable], effort: .quick)
        return .now(representation.response(to: call.head))
    }
}

extension [UInt8] {
    /// FNV-1a; tells drawings apart, and protects nothing.
    fileprivate var fingerprint: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

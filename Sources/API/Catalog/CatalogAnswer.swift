internal import Catalog
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security
internal import Time

/// A document of the catalog as a response: tagged by its content, and kept by caches for a minute at most.
struct CatalogAnswer {
    private static let longest = 60

    let document: [UInt8]
    var locale: LocaleTag?
    /// Where the next page of a list is.
    var next: String?
    /// In seconds.
    private(set) var maximumAge = CatalogAnswer.longest

    init(_ locale: LocaleTag?, next: String? = nil, _ body: (inout JSONWriter) -> Void) throws(JSONError) {
        var writer = JSONWriter(capacity: 4_096)
        writer.object(body)
        document = try writer.finish()
        self.locale = locale
        self.next = next
    }

    /// Ends with the moment at which the first of these items comes or goes.
    mutating func expire(with items: [Item], in storefront: Storefront, at moment: Timestamp) {
        for item in items {
            guard let change = item.availability.nextChange(in: storefront.key, after: moment) else { continue }
            let seconds = (change.microseconds - moment.microseconds) / 1_000_000
            maximumAge = min(maximumAge, Int(clamping: seconds))
        }
    }

    func response(to call: Call) -> Response {
        let stale = maximumAge == Self.longest ? ", stale-while-revalidate=\(Self.longest)" : ""
        var fields = [ResponseField(.cacheControl, "public, max-age=\(maximumAge)\(stale)")]
        if let locale {
            fields.append(ResponseField("content-language", locale.text))
            fields.append(ResponseField(.vary, "accept-language"))
        }
        if let next { fields.append(ResponseField("link", "<\(next)>; rel=\"next\"")) }
        // The tag also tells one locale from another.
        let digest = Digest.sha256(document + Array((locale?.text ?? "").utf8)).prefix(12)
        let version = digest.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
        return Representation(document, type: "application/json", version: version, fields: fields, effort: .quick).response(to: call.head)
    }
}

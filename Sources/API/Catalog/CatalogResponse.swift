internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Security
internal import Values

/// A document of the catalog as a response: tagged by its content, and kept by caches for a minute at most.
struct CatalogResponse {
    private static let longest = 60

    let document: [UInt8]
    var locale: LocaleTag?
    var next: String?
    /// For how many seconds it is surely right.
    private var lifetime = Int.max

    init(_ locale: LocaleTag?, next: String? = nil, _ body: (inout JSONWriter) -> Void) throws(JSONError) {
        var writer = JSONWriter(capacity: 4_096)
        writer.object(body)
        document = try writer.finish()
        self.locale = locale
        self.next = next
    }

    /// Ends with the moment at which the first of these items comes or goes. One that is not among them yet is not waited for: a list has it a
    /// minute or two late.
    mutating func expire(with items: [Item], in storefront: Storefront, at time: Timestamp) {
        for item in items {
            guard let change = item.content.availability.nextChange(in: storefront.key, after: time) else { continue }
            lifetime = min(lifetime, Int(clamping: (change.microseconds - time.microseconds) / 1_000_000))
        }
    }

    func response(to context: RequestContext, on loop: EventLoop) async throws -> Response {
        // What is stale is shown while it is asked for anew, so both times together end with the change.
        let fresh = min(Self.longest, lifetime)
        let stale = min(Self.longest, lifetime - fresh)
        var fields = [
            ResponseField(.cacheControl, "public, max-age=\(fresh)\(stale > 0 ? ", stale-while-revalidate=\(stale)" : "")")
        ]
        if let locale {
            fields.append(ResponseField("content-language", locale.text))
        }
        if let next { fields.append(ResponseField("link", "<\(next)>; rel=\"next\"")) }
        // The tag also tells one locale from another.
        let version = Digest.tag(of: document + Array((locale?.text ?? "").utf8))
        let vary = Representation.vary(locale != nil && context.head.target.query["locale"] == nil ? ["accept-language"] : [])
        return try await context.response(
            Representation(document, type: "application/json", version: version, fields: fields, vary: vary, effort: .quick), on: loop)
    }
}

internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Security
internal import Values

/// A catalog document as a response. Its tag is a digest of its content, and caches keep it for at most a minute.
struct CatalogResponse {
    let document: [UInt8]
    var locale: LocaleTag?
    var next: String?
    /// The number of seconds for which the document is certainly valid.
    private var lifetime = Int.max

    init(_ locale: LocaleTag?, next: String? = nil, _ body: (inout JSONWriter) -> Void) throws(JSONError) {
        var writer = JSONWriter(capacity: 4_096)
        writer.object(body)
        document = try writer.finish()
        self.locale = locale
        self.next = next
    }

    /// Limits the lifetime to the next time at which one of the items becomes available or unavailable, or changes its
    /// price. An item that is not in the list yet is not considered: it appears a minute or two late.
    ///
    /// A price that has ended and that the sequencer has not replaced yet is not kept at all.
    mutating func expire(with items: [Item], in storefront: Storefront, at time: Timestamp) {
        for item in items {
            let changes = [
                item.availability.nextChange(in: storefront.key, after: time), item.nextPriceChange(in: storefront.key),
            ]
            if let change = changes.compactMap(\.self).min() { expire(at: change, after: time) }
        }
    }

    /// Limits the lifetime to a later time.
    mutating func expire(at change: Timestamp, after time: Timestamp) {
        lifetime = min(lifetime, max(0, Int(clamping: (change.microseconds - time.microseconds) / 1_000_000)))
    }

    func response(to context: RequestContext, on loop: EventLoop) async throws -> Response {
        let scope = locale == nil ? .public : CacheScope.ofLocale(in: context.head)
        var fields = [scope.cacheControl(for: lifetime)]
        if let locale {
            fields.append(ResponseField("content-language", locale.text))
        }
        if let next { fields.append(.next(next)) }
        // The tag must differ between locales.
        let version = Digest.tag(of: document + Array((locale?.text ?? "").utf8))
        return try await context.response(
            Representation(document, type: "application/json", version: version, fields: fields, vary: scope.vary, effort: .quick), on: loop
        )
    }
}

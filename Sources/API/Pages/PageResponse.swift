internal import HTTP
internal import HTTPMessages
internal import Values

/// What a question about pages is answered, as long as nothing is published.
struct PageResponse: Sendable {
    /// Held by the cache that it was taken from alone, so that answers keep no bytes that the cache has evicted.
    private(set) weak var representation: Representation?
    /// With all but the `Cache-Control`, which goes by the clock.
    let fields: [ResponseField]
    /// When the clock changes it; nil for never.
    let end: Timestamp?
    /// With the `Cache-Control` of an answer that the clock does not change soon.
    let steadyFields: [ResponseField]

    init(representation: Representation, fields: [ResponseField], end: Timestamp?) {
        self.representation = representation
        self.fields = fields
        self.end = end
        steadyFields = fields + [ResponseField(.cacheControl, PageService.cacheControl(.max))]
    }
}

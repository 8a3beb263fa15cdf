internal import HTTP
internal import HTTPMessages
internal import Time

/// What a question about pages is answered, as long as nothing is published.
struct PageAnswer: Sendable {
    let representation: Representation
    /// With all but the `Cache-Control`, which goes by the clock.
    let fields: [ResponseField]
    /// When the clock changes it; nil for never.
    let end: Timestamp?
    /// Whether others keep the representation as well.
    let isShared: Bool
    /// With the `Cache-Control` of an answer that the clock does not change soon.
    let steadyFields: [ResponseField]

    init(representation: Representation, fields: [ResponseField], end: Timestamp?, isShared: Bool = false) {
        self.representation = representation
        self.fields = fields
        self.end = end
        self.isShared = isShared
        steadyFields = fields + [ResponseField(.cacheControl, PageService.cacheControl(.max))]
    }
}

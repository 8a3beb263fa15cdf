internal import HTTP
internal import Time

/// What a question about pages is answered, as long as nothing is published.
struct PageAnswer: Sendable {
    let representation: Representation
    /// With all but the `Cache-Control`, which goes by the clock.
    let fields: [ResponseField]
    /// When the clock changes it; nil for never.
    let end: Timestamp?
    /// Whether others keep the representation as well.
    var isShared = false
}

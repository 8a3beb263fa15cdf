/// How the body of a request is delimited.
package enum BodyFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// By the frames of HTTP/2, with or without a length told before.
    case frames(length: Int?)
}

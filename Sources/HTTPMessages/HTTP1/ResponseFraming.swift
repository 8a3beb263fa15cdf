/// How the body of a response is delimited.
package enum ResponseFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// By the end of the connection.
    case untilEnd
}

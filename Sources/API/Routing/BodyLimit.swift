/// The most bytes that the body of a request may have.
package enum BodyLimit: Sendable, Hashable {
    /// There is to be no body.
    case none
    /// As the settings say for all routes that take no more.
    case standard
    case bytes(Int)
    /// The request is answered while its body comes.
    case stream(Int)
}

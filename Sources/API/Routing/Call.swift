package import HTTP
package import HTTPMessages

/// A request that has found its route.
package struct Call: Sendable {
    package let request: Request
    package let parameters: PathParameters
    /// What the log and the client know the request by.
    package let id: RequestID

    package var head: RequestHead { request.head }
}

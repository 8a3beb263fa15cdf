package import EventLoop
package import HTTPMessages

/// The handler of a server's requests. All event loops call it at the same time.
package struct Service: Sendable {
    package enum BodyPolicy: Sendable {
        /// The body is read completely. A longer body is rejected.
        case body(limit: Int)
        /// The request is handled while its body arrives. The body ends with an error if it exceeds the limit.
        case stream(limit: Int)
        /// The response is sent without reading the body.
        case immediate(Response)
    }

    /// Decides about the body before it is read. Receives the head and the connected client.
    let admit: @Sendable (RequestHead, Request.Client) -> BodyPolicy
    let respond: @Sendable (Request) -> HandlerResult
    /// Returns the response to an invalid request, or to one for which the server has no capacity. The head is nil if
    /// it could not be parsed.
    let refuse: @Sendable (RequestError, RequestHead?) -> Response
    /// The fields of every response, including errors: for plain and for encrypted connections.
    package let fields: (plain: PrebuiltHeaders, encrypted: PrebuiltHeaders)
    /// The proxies that name their clients. The responses to their requests are repeated for their requests only.
    let proxies: TrustedProxies

    package init(
        admit: @escaping @Sendable (RequestHead, Request.Client) -> BodyPolicy,
        respond: @escaping @Sendable (Request) -> HandlerResult, refuse: @escaping @Sendable (RequestError, RequestHead?) -> Response,
        fields: [ResponseField] = [], encryptedFields: [ResponseField] = [], proxies: TrustedProxies = TrustedProxies([])
    ) {
        self.admit = admit
        self.respond = respond
        self.refuse = refuse
        self.fields = (PrebuiltHeaders(fields), PrebuiltHeaders(encryptedFields))
        self.proxies = proxies
    }
}

package enum HandlerResult: Sendable {
    /// A response from memory.
    case now(Response)
    /// A response that a task makes on the loop of the connection. The task is canceled when the client disconnects.
    /// Without a deadline, the one of the request applies.
    case later(until: Deadline? = nil, @Sendable (EventLoop) async -> Response)
    /// The same for a response that may wait as long as the client allows. It does not count against the limit of
    /// requests in progress.
    case waiting(until: Deadline, @Sendable (EventLoop) async -> Response)
}

package import EventLoop
package import HTTPMessages

/// What a server does with requests; called on every loop at once.
package struct Service: Sendable {
    package enum BodyPolicy: Sendable {
        /// The body is read if it has no more bytes.
        case body(limit: Int)
        /// The request is answered while its body comes, which ends where it has more bytes.
        case stream(limit: Int)
        /// Without a look at the body.
        case answer(Response)
    }

    /// Before the body is read; with whoever is connected.
    let admit: @Sendable (RequestHead, Request.Client) -> BodyPolicy
    let respond: @Sendable (Request) -> HandlerResult
    /// To what is no request, or comes when there is no room for it; with its head where that could be read.
    let refuse: @Sendable (RequestError, RequestHead?) -> Response
    /// Part of every answer, refusals included: without encryption, and with it.
    package let fields: (plain: PrebuiltHeaders, encrypted: PrebuiltHeaders)

    package init(
        admit: @escaping @Sendable (RequestHead, Request.Client) -> BodyPolicy,
        respond: @escaping @Sendable (Request) -> HandlerResult, refuse: @escaping @Sendable (RequestError, RequestHead?) -> Response,
        fields: [ResponseField] = [], encryptedFields: [ResponseField] = []
    ) {
        self.admit = admit
        self.respond = respond
        self.refuse = refuse
        self.fields = (PrebuiltHeaders(fields), PrebuiltHeaders(encryptedFields))
    }
}

package enum HandlerResult: Sendable {
    /// From memory.
    case now(Response)
    /// By a task on the loop of the connection, which is cancelled when the client is gone; without a deadline of its own by that of the request.
    case later(until: Deadline? = nil, @Sendable (EventLoop) async -> Response)
    /// The same, for something that may take as long as the client likes to wait: it is none of the requests that are being worked on.
    case waiting(until: Deadline, @Sendable (EventLoop) async -> Response)
}

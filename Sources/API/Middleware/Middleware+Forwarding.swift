internal import HTTP

extension Middleware {
    /// Tells a client to come encrypted again, where it is a proxy that encrypts; of its own connections the server says so itself.
    package static let forwarding = Middleware(finish: { context, response in
        if context.client.isEncrypted, !context.request.peer.isEncrypted { response.fields += .encryption }
    })
}

internal import HTTP
package import HTTPMessages

extension Middleware {
    /// Believes these proxies for whom they ask, and whether that one came encrypted; whatever others say of themselves is passed over.
    package static func forwarding(_ proxies: TrustedProxies) -> Middleware {
        Middleware { exchange, next in
            let peer = exchange.request.client
            guard proxies.trust(peer: peer.address) else { return next(exchange) }
            let fields = exchange.request.head.fields
            let isEncrypted = proxies.isEncrypted(fields) ?? peer.isEncrypted
            let client = Request.Client(address: proxies.client(fields)?.description ?? peer.address, isEncrypted: isEncrypted)
            // What a server adds to its own encrypted connections.
            guard isEncrypted, !peer.isEncrypted else { return next(exchange.asked(by: client)) }
            return Middleware(after: { _, response in
                var response = response
                response.fields += .encryption
                return response
            }).wrap(exchange.asked(by: client), next)
        }
    }
}

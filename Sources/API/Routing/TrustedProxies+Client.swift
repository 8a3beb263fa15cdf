internal import HTTP
internal import HTTPMessages

extension TrustedProxies {
    /// Returns the client of a request: the peer, or the client that a trusted proxy names. The forwarding fields of
    /// other peers are ignored.
    func client(of head: RequestHead, from peer: Request.Client) -> Request.Client {
        guard !isEmpty, trust(peer: peer.address) else { return peer }
        let fields = head.fields
        return Request.Client(
            address: client(fields)?.description ?? peer.address, isEncrypted: isEncrypted(fields) ?? peer.isEncrypted)
    }
}

package import HTTPMessages

extension TrustedProxies {
    /// Returns the client of a request: the peer, or the client that a trusted proxy names. The forwarding fields of
    /// other peers are ignored.
    ///
    /// The lookup of the address is not recorded, because it is in no response that is sent to other clients.
    package func client(of head: RequestHead, from peer: Request.Client) -> Request.Client {
        guard !isEmpty, trust(peer: peer.address) else { return peer }
        return Request.Client(
            address: client(head.fields.unrecorded)?.description ?? peer.address,
            isEncrypted: isEncrypted(head.fields) ?? peer.isEncrypted)
    }
}

internal import HTTP
internal import HTTPMessages

extension TrustedProxies {
    /// Who asks: whoever is connected, or the one for whom that one asks, where it is to be believed. Whatever others say is passed over.
    func client(of head: RequestHead, from peer: Request.Client) -> Request.Client {
        guard !isEmpty, trust(peer: peer.address) else { return peer }
        let fields = head.fields
        return Request.Client(
            address: client(fields)?.description ?? peer.address, isEncrypted: isEncrypted(fields) ?? peer.isEncrypted)
    }
}

internal import Values

/// A GET request of the sync protocol.
public enum SyncRequest: Sendable, Hashable {
    /// The next changes. The server may hold the request for `wait` seconds until one exists.
    case page(cursor: String?, limit: Int, wait: Int)
    /// The head, and the digest of the whole scope at it.
    case head
    /// The digest of each bucket.
    case digests
    /// The entries of some buckets.
    case bucketList(bits: Int, buckets: [Int])
    /// The documents of some items.
    case items([String])

    /// The number of seconds for which the server may hold the request.
    public var timeout: Int {
        if case .page(_, _, let wait) = self { wait } else { 0 }
    }

    /// Returns the path and query of the request.
    public func target(in scope: CopyScope) -> String {
        var query = "locale=\(scope.locale.percentEncoded())"
        if let feeds = scope.feeds { query += "&feeds=\(feeds.map { $0.percentEncoded() }.joined(separator: ","))" }
        if scope.hasLists { query += "&lists=1" }
        let root = "/v1/\(scope.storefront.percentEncoded())"
        switch self {
        case .page(let cursor, let limit, let wait):
            query += "&limit=\(limit)"
            if wait > 0 { query += "&wait=\(wait)" }
            if let cursor { query += "&cursor=\(cursor.percentEncoded())" }
            return "\(root)/sync?\(query)"
        case .head: return "\(root)/sync/head?\(query)"
        case .digests: return "\(root)/sync/digest?\(query)"
        case .bucketList(let bits, let buckets):
            return "\(root)/sync/digest?\(query)&bits=\(bits)&buckets=\(buckets.map(String.init).joined(separator: ","))"
        case .items(let ids):
            return "\(root)/items?locale=\(scope.locale.percentEncoded())&ids=\(ids.map { $0.percentEncoded() }.joined(separator: ","))"
        }
    }
}

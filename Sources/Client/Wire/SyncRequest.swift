/// A question to the server; all of them are GET.
public enum SyncRequest: Sendable, Hashable {
    /// The next changes; `wait` is for how many seconds the server may hold it while there are none.
    case page(cursor: String?, limit: Int, wait: Int)
    /// The head, and the digest of the whole scope there.
    case head
    /// A digest of each bucket.
    case digests
    /// What is in some buckets.
    case bucketList(bits: Int, buckets: [Int])
    /// The documents of some items.
    case items([String])

    /// For how many seconds the server may take its time on purpose.
    public var patience: Int {
        if case .page(_, _, let wait) = self { wait } else { 0 }
    }

    /// The path and the query that ask it of a scope.
    public func target(in scope: CopyScope) -> String {
        var query = "locale=\(scope.locale.escapedForQuery)"
        if let feeds = scope.feeds { query += "&feeds=\(feeds.map(\.escapedForQuery).joined(separator: ","))" }
        let root = "/v1/\(scope.storefront.escapedForQuery)"
        switch self {
        case .page(let cursor, let limit, let wait):
            query += "&limit=\(limit)"
            if wait > 0 { query += "&wait=\(wait)" }
            if let cursor { query += "&cursor=\(cursor.escapedForQuery)" }
            return "\(root)/sync?\(query)"
        case .head: return "\(root)/sync/head?\(query)"
        case .digests: return "\(root)/sync/digest?\(query)"
        case .bucketList(let bits, let buckets):
            return "\(root)/sync/digest?\(query)&bits=\(bits)&buckets=\(buckets.map(String.init).joined(separator: ","))"
        case .items(let ids):
            return "\(root)/items?locale=\(scope.locale.escapedForQuery)&ids=\(ids.map(\.escapedForQuery).joined(separator: ","))"
        }
    }
}

extension String {
    /// With every byte escaped that is neither a letter, nor a digit, nor one of `-._~`.
    fileprivate var escapedForQuery: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: text.append(Character(Unicode.Scalar(byte)))
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

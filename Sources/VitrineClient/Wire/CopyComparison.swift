internal import JSON
internal import Values

/// A comparison of a copy with the server's digests, which reports differences without repairing them.
public struct CopyComparison: Sendable, Equatable {
    public struct Difference: Sendable, Equatable {
        public enum Kind: String, Sendable {
            /// Only the server has the entity.
            case missing
            /// Only the copy has the entity.
            case extra
            /// Both have the entity, with different contents.
            case other
        }

        public let key: EntityKey
        public let kind: Kind
    }

    public let bits: Int
    /// The buckets that differ.
    public let buckets: [Int]

    /// Returns nil if the body is not a response to `SyncRequest.digests`.
    public init?(_ body: [UInt8], with copy: LocalCopy) {
        do throws(ResponseDecoder.InvalidResponse) {
            let response = try DigestsResponse(body)
            bits = response.bits
            buckets = response.differences(from: copy)
        } catch { return nil }
    }

    /// The request for the entries of the first differing buckets.
    public var request: SyncRequest { .bucketList(bits: bits, buckets: Array(buckets.prefix(Repair.maxBuckets))) }

    /// Returns the differences in the requested buckets that the response lists. Nil if the body is not a response to
    /// `request`.
    public func differences(_ body: [UInt8], with copy: LocalCopy) -> [Difference]? {
        let response: BucketListResponse
        do throws(ResponseDecoder.InvalidResponse) { response = try BucketListResponse(body) } catch { return nil }
        var differences = copy.activeKeys(in: Set(response.listed ?? Array(buckets.prefix(Repair.maxBuckets))), bits: bits)
            .filter { response.entries[$0] == nil }
            .map { Difference(key: $0, kind: .extra) }
        for (key, entry) in response.entries {
            guard let content = copy[key] else {
                differences.append(Difference(key: key, kind: .missing))
                continue
            }
            if content.hash != entry.hash { differences.append(Difference(key: key, kind: .other)) }
        }
        return differences.sorted { $0.key < $1.key }
    }
}

/// The sync scope of a copy. Each scope has its own cursors and versions.
public struct CopyScope: Sendable, Hashable, CustomStringConvertible {
    public let storefront: String
    /// The feed keys, sorted and unique. Nil means the whole catalog.
    public let feeds: [String]?
    /// Whether the copy also has the lists of the feeds. The catalog has none.
    public let hasLists: Bool
    public let locale: String

    public init(storefront: String, feeds: [String]? = nil, hasLists: Bool = false, locale: String) {
        self.storefront = storefront
        self.feeds = feeds.map { Set($0).sorted() }
        self.hasLists = hasLists && feeds != nil
        self.locale = locale
    }

    public var description: String {
        let content = feeds.map { "feeds \($0.joined(separator: ","))\(hasLists ? " with lists" : "")" } ?? "catalog"
        return "\(content) of \(storefront) in \(locale)"
    }
}

/// The digests of a scope's buckets.
struct DigestsResponse {
    /// The maximum number of bits that is accepted. No server uses more.
    private static let maxBits = 20

    let bits: Int
    let buckets: [CopyDigest]

    init(_ body: [UInt8]) throws(ResponseDecoder.InvalidResponse) {
        let root = try ResponseDecoder(body).root
        bits = try root.count("bits", in: 0...Self.maxBits)
        guard let text = root["buckets"]?.string, let bytes = Base64URL.decode(text), bytes.count == CopyDigest.byteCount << bits else {
            throw ResponseDecoder.InvalidResponse(reason: "the number of buckets does not match their bits")
        }
        buckets = stride(from: 0, to: bytes.count, by: CopyDigest.byteCount).map { CopyDigest(bytes[$0..<($0 + CopyDigest.byteCount)]) }
    }

    /// Returns the indexes of the buckets that differ from the copy.
    func differences(from copy: LocalCopy) -> [Int] {
        zip(buckets, copy.digests(bits: bits)).enumerated().compactMap { index, pair in pair.0 == pair.1 ? nil : index }
    }
}

/// The entries of some buckets at one head.
struct BucketListResponse {
    struct Entry {
        let version: Int
        /// The version of the document itself.
        let ownVersion: Int
        let hash: String
    }

    /// The head of the list. Nil from an older server, whose list cannot be applied.
    let head: Int?
    /// The requested buckets that are listed. Nil if all are.
    let listed: [Int]?
    let entries: [EntityKey: Entry]

    init(_ body: [UInt8]) throws(ResponseDecoder.InvalidResponse) {
        let root = try ResponseDecoder(body).root
        head = root["head"] == nil ? nil : try root.count("head")
        listed =
            root["listedBuckets"] == nil
            ? nil
            : try root.list("listedBuckets").map { node throws(ResponseDecoder.InvalidResponse) in
                guard let bucket = node.integer else { throw ResponseDecoder.InvalidResponse(reason: "a bucket is not a number") }
                return bucket
            }
        var entries: [EntityKey: Entry] = [:]
        for node in try root.list("entries") {
            guard node.kind == .object else { throw ResponseDecoder.InvalidResponse(reason: "an entry is not an object") }
            let key = EntityKey(kind: try node.identifier("kind"), id: try node.identifier("id"))
            let version = try node.count("version", in: 1...(.max))
            let ownVersion = node["documentVersion"] == nil ? version : try node.count("documentVersion", in: 1...version)
            entries[key] = Entry(version: version, ownVersion: ownVersion, hash: try node.identifier("hash"))
        }
        self.entries = entries
    }
}

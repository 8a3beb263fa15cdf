internal import JSON
internal import Values

/// Where a copy and the server's digests differ, for those who want to know and not only to be mended.
public struct CopyComparison: Sendable, Equatable {
    public struct Difference: Sendable, Equatable {
        public enum Kind: String, Sendable {
            /// The server has it.
            case missing
            /// The copy alone has it.
            case extra
            /// Both have it, with other contents.
            case other
        }

        public let key: EntityKey
        public let kind: Kind
    }

    public let bits: Int
    /// Those that differ.
    public let buckets: [Int]

    /// Nil where the body is no answer to `SyncRequest.digests`.
    public init?(_ body: [UInt8], with copy: LocalCopy) {
        do throws(ResponseDecoder.InvalidResponse) {
            let answer = try DigestsResponse(body)
            bits = answer.bits
            buckets = answer.differences(from: copy)
        } catch { return nil }
    }

    /// What to ask for the differences of the first buckets.
    public var request: SyncRequest { .bucketList(bits: bits, buckets: Array(buckets.prefix(Repair.maxBuckets))) }

    /// Those of the buckets that were asked for and are listed; nil where the body is no answer to that.
    public func differences(_ body: [UInt8], with copy: LocalCopy) -> [Difference]? {
        let answer: BucketListResponse
        do throws(ResponseDecoder.InvalidResponse) { answer = try BucketListResponse(body) } catch { return nil }
        var differences = copy.activeKeys(in: Set(answer.listed ?? Array(buckets.prefix(Repair.maxBuckets))), bits: bits)
            .filter { answer.entries[$0] == nil }
            .map { Difference(key: $0, kind: .extra) }
        for (key, entry) in answer.entries {
            guard let content = copy[key] else {
                differences.append(Difference(key: key, kind: .missing))
                continue
            }
            if content.hash != entry.hash { differences.append(Difference(key: key, kind: .other)) }
        }
        return differences.sorted { $0.key < $1.key }
    }
}

/// Of what a copy is kept: each has cursors and versions of its own.
public struct CopyScope: Sendable, Hashable, CustomStringConvertible {
    public let storefront: String
    /// In order and each once; nil for the whole catalog.
    public let feeds: [String]?
    public let locale: String

    public init(storefront: String, feeds: [String]? = nil, locale: String) {
        self.storefront = storefront
        self.feeds = feeds.map { Set($0).sorted() }
        self.locale = locale
    }

    public var description: String {
        "\(feeds.map { "feeds \($0.joined(separator: ","))" } ?? "catalog") of \(storefront) in \(locale)"
    }
}

/// The digests of a scope's buckets.
struct DigestsResponse {
    /// So many bits are more than any server counts by.
    private static let maxBits = 20

    let bits: Int
    let buckets: [CopyDigest]

    init(_ body: [UInt8]) throws(ResponseDecoder.InvalidResponse) {
        let root = try ResponseDecoder(body).root
        bits = try root.count("bits", in: 0...Self.maxBits)
        guard let text = root["buckets"]?.string, let bytes = Base64URL.decode(text), bytes.count == CopyDigest.byteCount << bits else {
            throw ResponseDecoder.InvalidResponse(reason: "the buckets are not as many as their bits tell")
        }
        buckets = stride(from: 0, to: bytes.count, by: CopyDigest.byteCount).map { CopyDigest(bytes[$0..<($0 + CopyDigest.byteCount)]) }
    }

    /// The buckets in which a copy holds something else.
    func differences(from copy: LocalCopy) -> [Int] {
        zip(buckets, copy.digests(bits: bits)).enumerated().compactMap { place, pair in pair.0 == pair.1 ? nil : place }
    }
}

/// All that some buckets hold at one head.
struct BucketListResponse {
    struct Entry {
        let version: Int
        /// Of its document alone.
        let ownVersion: Int
        let hash: String
    }

    /// Nil from a server that does not tell, whose list is of no use.
    let head: Int?
    /// Those of the buckets that were asked for which are listed; nil of all of them.
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
            let key = EntityKey(kind: try node.word("kind"), id: try node.word("id"))
            let version = try node.count("version", in: 1...(.max))
            let ownVersion = node["ownVersion"] == nil ? version : try node.count("ownVersion", in: 1...version)
            entries[key] = Entry(version: version, ownVersion: ownVersion, hash: try node.word("hash"))
        }
        self.entries = entries
    }
}

internal import Values

/// A client's local copy of one scope: active entities with their content, deleted ones with their versions, and the
/// cursor.
///
/// Only `CopyMutation` changes it, in amortized constant time for each entity.
public struct LocalCopy: Sendable {
    public struct Entry: Sendable {
        public fileprivate(set) var version: Int
        /// The content, or nil if the entity is deleted.
        public fileprivate(set) var content: CopyContent?
        fileprivate var digest = CopyDigest()
        /// The last load that contained the entity.
        fileprivate var load: Int
    }

    public private(set) var entries: [EntityKey: Entry] = [:]
    /// The opaque cursor. Nil before the first page, and at the start of a load.
    public private(set) var cursor: String?
    /// The version of the cursor.
    public private(set) var version = 0
    /// Whether a load without a cursor is in progress. Existing entries stay until it ends.
    public private(set) var isLoading = true
    /// Whether the copy was empty before the current load.
    public var isFirstLoad: Bool { isLoading && load == 1 }
    /// Whether the copy may hold wrong entries.
    public private(set) var needsRepair = false
    /// The digest of all active entities, computed as on the server.
    public private(set) var digest = CopyDigest()
    public private(set) var count = 0
    /// The highest stored version. It is above the cursor's version if the copy read ahead and its cursor was set back.
    public private(set) var newest = 0
    private var load = 1
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// Creates an empty copy. The function must return the 32 bytes of the SHA-256 of its argument.
    public init(sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.sha256 = sha256 }

    public subscript(key: EntityKey) -> CopyContent? { entries[key]?.content }

    /// Applies a mutation, and returns the visible changes.
    @discardableResult
    public mutating func apply(_ edit: CopyMutation) -> [CopyChange] {
        switch edit {
        case .save(let key, let version, let content):
            if let stored = entries[key], stored.version >= version {
                entries[key]?.load = load
                return []
            }
            return store(key, version, content)
        case .repair(let key, let version, let content): return store(key, version, content)
        case .cap(let version): cap(version)
        case .startLoad:
            cap(0)
            load += 1
            (cursor, version, isLoading, needsRepair) = (nil, 0, true, false)
        case .endLoad: return sweep()
        case .distrust: needsRepair = true
        case .trust: needsRepair = false
        case .move(let cursor, let version): (self.cursor, self.version) = (cursor, version)
        }
        return []
    }

    private mutating func store(_ key: EntityKey, _ version: Int, _ content: CopyContent?) -> [CopyChange] {
        var entry = Entry(version: version, content: content, load: load)
        if let content {
            entry.digest = CopyDigest(sha256(Array("\(key.kind)\n\(key.id)\n\(content.hash)".utf8)).prefix(CopyDigest.byteCount))
        }
        newest = max(newest, version)
        let before = entries.updateValue(entry, forKey: key)
        digest.formXOR(entry.digest)
        if let before { digest.formXOR(before.digest) }
        count += (content == nil ? 0 : 1) - (before?.content == nil ? 0 : 1)
        // After a change of the storefront, a document with the same hash has other data.
        guard content != before?.content else { return [] }
        return [CopyChange(key: key, version: version, before: before?.content, after: content)]
    }

    private mutating func cap(_ version: Int) {
        newest = min(newest, version)
        for (key, entry) in entries where entry.version > version {
            if entry.content == nil { entries[key] = nil } else { entries[key]?.version = version }
        }
    }

    /// Deletes active entities that the load did not contain, at the version of the cursor.
    private mutating func sweep() -> [CopyChange] {
        isLoading = false
        let unmet = entries.filter { $0.value.load != load && $0.value.content != nil }
        return unmet.keys.sorted().flatMap { store($0, version, nil) }
    }

    /// Calls `body` with the mutations that turn an empty copy into this one.
    public func edits(_ body: (CopyMutation) throws -> Void) rethrows {
        // Entries that the current load has not contained yet come before its start, which resets their versions.
        if isLoading, !isFirstLoad {
            for (key, entry) in entries where entry.load != load { try body(.repair(key, version: entry.version, entry.content)) }
            try body(.startLoad)
        }
        for (key, entry) in entries where !isLoading || entry.load == load {
            try body(.repair(key, version: entry.version, entry.content))
        }
        if !isLoading { try body(.endLoad) }
        if needsRepair { try body(.distrust) }
        if let cursor { try body(.move(cursor: cursor, version: version)) }
    }

    // MARK: Buckets

    /// Returns the bucket of an id: the first bits of its SHA-256, at most 32.
    public func bucket(of id: String, bits: Int) -> Int {
        let first = sha256(Array(id.utf8)).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return first >> (32 - bits)
    }

    /// Returns the digest of each of the 2^`bits` buckets.
    public func digests(bits: Int) -> [CopyDigest] {
        var digests = [CopyDigest](repeating: CopyDigest(), count: 1 << bits)
        for (key, entry) in entries where entry.content != nil { digests[bucket(of: key.id, bits: bits)].formXOR(entry.digest) }
        return digests
    }

    /// Returns the keys of active entities in some buckets.
    func activeKeys(in buckets: Set<Int>, bits: Int) -> [EntityKey] {
        entries.compactMap { key, entry in entry.content != nil && buckets.contains(bucket(of: key.id, bits: bits)) ? key : nil }
    }
}

/// A visible change of an entity in the copy.
public struct CopyChange: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case added, changed, removed
    }

    public let key: EntityKey
    /// The version that is stored now.
    public let version: Int
    /// The previous content, or nil if the entity was not in the copy.
    public let before: CopyContent?
    /// The new content, or nil if the entity was deleted.
    public let after: CopyContent?

    public var kind: Kind { after == nil ? .removed : before == nil ? .added : .changed }
}

/// The content of an active entity.
public struct CopyContent: Sendable, Hashable {
    /// The hash of the published document, as the server sent it.
    public let hash: String
    /// The document as canonical JSON, or nil if the copy stores hashes only.
    public let data: [UInt8]?

    public init(hash: String, data: [UInt8]?) {
        self.hash = hash
        self.data = data
    }
}

/// A change of a copy. The same mutations in the same order lead to the same copy, so a journal file can store them.
public enum CopyMutation: Sendable, Equatable {
    /// Stores an entity of a page, if its version is higher than the stored one. Nil content deletes it.
    case save(EntityKey, version: Int, CopyContent?)
    /// Stores an entity of a repair, whatever version is stored.
    case repair(EntityKey, version: Int, CopyContent?)
    /// Lowers higher stored versions to this one, and forgets tombstones above it. Follows a fork of the history.
    case cap(Int)
    /// Starts a load without a cursor. Every entry counts as version zero, and the end of the load deletes entries that
    /// it did not contain.
    case startLoad
    case endLoad
    /// Requests that the copy is compared with the server's digests when it reaches the head.
    case distrust
    case trust
    /// Moves the cursor.
    case move(cursor: String, version: Int)
}

/// The identity of an entity within a scope.
public struct EntityKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The kind, such as `item`. Later servers may send other kinds.
    public let kind: String
    public let id: String

    public init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }

    public var description: String { "\(kind) \(id)" }

    public static func < (left: EntityKey, right: EntityKey) -> Bool { (left.kind, left.id) < (right.kind, right.id) }
}

/// A digest of a set of entities: the XOR of 16 bytes of each.
public struct CopyDigest: Sendable, Hashable, CustomStringConvertible {
    static let byteCount = 16

    private var high: UInt64
    private var low: UInt64

    /// Creates the digest of the empty set.
    public init() { (high, low) = (0, 0) }

    /// Creates a digest from the first 16 bytes. Missing bytes are zero.
    init(_ bytes: ArraySlice<UInt8>) {
        func half(_ from: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 << 8 | UInt64(from + $1 < bytes.count ? bytes[bytes.startIndex + from + $1] : 0) }
        }
        (high, low) = (half(0), half(8))
    }

    mutating func formXOR(_ other: CopyDigest) {
        high ^= other.high
        low ^= other.low
    }

    /// The digest as 22 characters, in the server's notation.
    public var description: String {
        Base64URL.encode([high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - $0 * 8)) } })
    }
}

internal import Values

/// What a client holds of one scope: the living with their content, the gone with their versions, and where to go on from.
///
/// Changes by `CopyMutation` alone, in amortised constant time for each entity that is touched.
public struct LocalCopy: Sendable {
    public struct Entry: Sendable {
        public fileprivate(set) var version: Int
        /// Nil of what is gone.
        public fileprivate(set) var content: CopyContent?
        fileprivate var digest = CopyDigest()
        /// The load that met it last.
        fileprivate var load: Int
    }

    public private(set) var entries: [EntityKey: Entry] = [:]
    /// Opaque; nil before the first page, and of a load that has just begun.
    public private(set) var cursor: String?
    /// The one that the cursor stands at.
    public private(set) var version = 0
    /// Whether a load without a cursor is under way. What was there before stays until its end.
    public private(set) var isLoading = true
    /// Whether there was nothing before that load.
    public var isFirstLoad: Bool { isLoading && load == 1 }
    /// Whether it may have what it should not.
    public private(set) var needsRepair = false
    /// Of all that lives, as the server computes it.
    public private(set) var digest = CopyDigest()
    public private(set) var count = 0
    /// The highest of all that is stored, which is above the cursor's where the copy was read ahead and then set back.
    public private(set) var newest = 0
    private var load = 1
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// An empty one. The function has to return the 32 bytes of SHA-256.
    public init(sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.sha256 = sha256 }

    public subscript(key: EntityKey) -> CopyContent? { entries[key]?.content }

    /// Takes a step, and tells what that changes for one who looks at the copy.
    @discardableResult
    public mutating func apply(_ edit: CopyMutation) -> [CopyChange] {
        switch edit {
        case .put(let key, let version, let content):
            if let stored = entries[key], stored.version >= version {
                entries[key]?.load = load
                return []
            }
            return store(key, version, content)
        case .repair(let key, let version, let content): return store(key, version, content)
        case .cap(let version): cap(version)
        case .beginLoad:
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
        guard content?.hash != before?.content?.hash else { return [] }
        return [CopyChange(key: key, version: version, before: before?.content, after: content)]
    }

    private mutating func cap(_ version: Int) {
        newest = min(newest, version)
        for (key, entry) in entries where entry.version > version {
            if entry.content == nil { entries[key] = nil } else { entries[key]?.version = version }
        }
    }

    /// What lives and was not met is gone, as of the cursor.
    private mutating func sweep() -> [CopyChange] {
        isLoading = false
        let unmet = entries.filter { $0.value.load != load && $0.value.content != nil }
        return unmet.keys.sorted().flatMap { store($0, version, nil) }
    }

    /// The steps that lead an empty copy to this one.
    public func edits(_ body: (CopyMutation) throws -> Void) rethrows {
        // What the load under way has not met comes in front of its beginning, which takes the version of each.
        if isLoading, !isFirstLoad {
            for (key, entry) in entries where entry.load != load { try body(.repair(key, version: entry.version, entry.content)) }
            try body(.beginLoad)
        }
        for (key, entry) in entries where !isLoading || entry.load == load {
            try body(.repair(key, version: entry.version, entry.content))
        }
        if !isLoading { try body(.endLoad) }
        if needsRepair { try body(.distrust) }
        if let cursor { try body(.move(cursor: cursor, version: version)) }
    }

    // MARK: Buckets

    /// The bucket of an id: the first bits of its SHA-256, at most 32.
    public func bucket(of id: String, bits: Int) -> Int {
        let first = sha256(Array(id.utf8)).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return first >> (32 - bits)
    }

    /// The digest of each bucket, as many as the bits can tell.
    public func digests(bits: Int) -> [CopyDigest] {
        var digests = [CopyDigest](repeating: CopyDigest(), count: 1 << bits)
        for (key, entry) in entries where entry.content != nil { digests[bucket(of: key.id, bits: bits)].formXOR(entry.digest) }
        return digests
    }

    /// What lives in some buckets.
    func activeKeys(in buckets: Set<Int>, bits: Int) -> [EntityKey] {
        entries.compactMap { key, entry in entry.content != nil && buckets.contains(bucket(of: key.id, bits: bits)) ? key : nil }
    }
}

/// What one who looks at the copy sees change.
public struct CopyChange: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case added, changed, removed
    }

    public let key: EntityKey
    /// The one that is stored now.
    public let version: Int
    /// Nil where it was not there.
    public let before: CopyContent?
    /// Nil where it is gone.
    public let after: CopyContent?

    public var kind: Kind { after == nil ? .removed : before == nil ? .added : .changed }
}

/// What a living entity has.
public struct CopyContent: Sendable, Hashable {
    /// Of the published document, as the server tells it.
    public let hash: String
    /// Its document as canonical JSON; nil in a copy that keeps none.
    public let data: [UInt8]?

    public init(hash: String, data: [UInt8]?) {
        self.hash = hash
        self.data = data
    }
}

/// One step that a copy takes. The same steps in the same order lead to the same copy, so that whoever keeps it in a file writes these.
public enum CopyMutation: Sendable, Equatable {
    /// What a page tells, applied if and only if the version is higher than the stored one; without content it is gone.
    case put(EntityKey, version: Int, CopyContent?)
    /// What a repair found out, applied whatever is stored.
    case repair(EntityKey, version: Int, CopyContent?)
    /// What is stored with a higher version counts as this one from now on, and what is gone above it is forgotten: after a fork.
    case cap(Int)
    /// A load without a cursor begins: everything counts as version zero, and what the load does not meet is swept at its end.
    case beginLoad
    case endLoad
    /// Whether the copy is to be compared with the server's digests as soon as it is at the head.
    case distrust
    case trust
    /// Where to go on from.
    case move(cursor: String, version: Int)
}

/// What tells one entity of a scope from the others.
public struct EntityKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Such as `item`; open to those that come later.
    public let kind: String
    public let id: String

    public init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }

    public var description: String { "\(kind) \(id)" }

    public static func < (left: EntityKey, right: EntityKey) -> Bool { (left.kind, left.id) < (right.kind, right.id) }
}

/// Tells one set of entities from others: the XOR of 16 bytes of each.
public struct CopyDigest: Sendable, Hashable, CustomStringConvertible {
    static let byteCount = 16

    private var high: UInt64
    private var low: UInt64

    /// Of nothing at all.
    public init() { (high, low) = (0, 0) }

    /// The first 16 bytes; missing ones are zero.
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

    /// 22 characters, as the server writes it.
    public var description: String {
        Base64URL.encode([high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - $0 * 8)) } })
    }
}

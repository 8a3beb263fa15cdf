import EventLoop
import Feeds
import Items
import JSON
import Publishing
import Security

@testable import Sync

/// A client that keeps a local copy as docs/sync.md describes: it applies changes with higher versions, and repairs its copy when the
/// server asks for it.
struct SyncClient {
    struct Key: Hashable, Comparable, CustomStringConvertible {
        let kind: String
        let id: String

        var description: String { "\(kind) \(id)" }

        static func < (a: Key, b: Key) -> Bool { (a.kind, a.id) < (b.kind, b.id) }
    }

    /// The list of some buckets, to be applied when the copy has reached its head.
    private struct Repair {
        let buckets: Set<Int>
        let bits: Int
        let listing: SyncReader.Listing
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let scope: SyncScope
    private(set) var cursor: SyncCursor?
    /// The entities by key. A tombstone has no hash.
    private(set) var copy: [Key: (version: Int, hash: String?)] = [:]
    /// The members of each entity as canonical JSON, without the version of its document, which differs after a fork. Entities that
    /// a repair has replaced have none.
    private(set) var data: [Key: [String]] = [:]
    private(set) var expiries = 0
    /// The number of loads after a change of the storefront.
    private(set) var reloads = 0
    /// Whether the copy may differ from the published content.
    private var isToReconcile = false
    private var repairs: [Repair] = []
    private(set) var repaired = 0
    /// The keys received since a full resync started, or nil if none is in progress.
    private var met: Set<Key>?
    private let codec = CursorCodec.testing(1)

    init(_ scope: SyncScope) { self.scope = scope }

    var content: [Key: String] { copy.compactMapValues(\.hash) }

    var digest: SyncDigest {
        content.reduce(into: SyncDigest()) { $0.formXOR(Self.digest(of: $1.key, $1.value)) }
    }

    private static func digest(of key: Key, _ hash: String) -> SyncDigest {
        let bytes = Digest.sha256(Array("\(key.kind)\n\(key.id)\n\(hash)".utf8))
        func half(_ index: Int) -> Int { bytes[index..<(index + 8)].reduce(0) { $0 << 8 | Int($1) } }
        return SyncDigest(high: half(0), low: half(8))
    }

    private static func bucket(of key: Key, bits: Int) -> Int {
        let bytes = Digest.sha256(Array(key.id.utf8))
        return (Int(bytes[0]) << 8 | Int(bytes[1])) >> (16 - bits)
    }

    mutating func start() {
        (cursor, met) = (nil, [])
        (isToReconcile, repairs) = (false, [])
        demote(to: 0)
    }

    /// Lowers the versions above the given one, which belong to another history.
    private mutating func demote(to version: Int) {
        for (key, stored) in copy where stored.version > version { copy[key] = stored.hash == nil ? nil : (version, stored.hash) }
    }

    /// Returns to an earlier cursor, as a client does that lost its last writes.
    mutating func rewind(to previous: SyncCursor?) {
        // During a full resync, keys received after that cursor would be swept.
        guard let previous, met == nil else { return }
        // The comparison that found the repairs is lost too.
        if !repairs.isEmpty { isToReconcile = true }
        (cursor, repairs) = (previous, [])
    }

    /// Reads one page. Returns whether it was the last one and the copy is one committed state.
    mutating func step(_ site: SyncSite, limit: Int, by reader: SyncReader? = nil) async throws -> Bool {
        let reading = try await (reader ?? site.reader).read(scope, after: cursor, within: .init(changes: limit))
        if let cursor, let expiry = SyncExpiry(of: cursor, in: scope, at: reading.head) {
            expiries += 1
            if expiry.reason == .storefrontChanged { reloads += 1 }
            switch expiry.recipe {
            case .upsertsThenReconcile, .reconcile:
                (isToReconcile, repairs) = (true, [])
                if let version = expiry.version { demote(to: version) }
                self.cursor = expiry.cursor
            case .full: start()
            }
            return false
        }
        let before = cursor?.version ?? 0
        let page = try SyncPage(
            reading.rows, upTo: reading.end, after: cursor, at: reading.head, within: .init(changes: limit)
        ) { $1.null() }
        guard let storefront = reading.storefront else { throw Failure(description: "\(scope.storefront) is not published") }
        let renderer = ChangeRenderer(storefront, LocaleFallback(scope.locale, in: storefront))
        var last = before
        for row in reading.rows.prefix(page.changes.count) {
            guard row.version > last else { throw Failure(description: "\(row.kind) \(row.id) has version \(row.version) behind \(last)") }
            last = row.version
            let key = Key(kind: row.kind.rawValue, id: row.id)
            met?.insert(key)
            if let present = copy[key], present.version >= row.version { continue }
            copy[key] = (row.version, row.content?.hash)
            let change = try JSONDocument(parsing: try renderer.bytes(of: row), limits: .ownOutput).root
            data[key] = change["data"].map { data in
                data.members.filter { $0.key != "version" }.map { "\($0.key): \(String(decoding: $0.value.canonical(), as: UTF8.self))" }
            }
        }
        guard page.cursor.version > before || !page.hasMore else { throw Failure(description: "a page stays at \(before)") }
        // The client sends the cursor as text.
        cursor = try codec.cursor(of: codec.text(of: page.cursor, in: scope), in: scope)
        let version = page.cursor.version
        for repair in repairs where repair.listing.head <= version { applyRepair(by: repair) }
        repairs.removeAll { $0.listing.head <= version }
        if page.hasMore { return false }
        if let met {
            for key in copy.keys where !met.contains(key) {
                copy[key] = nil
                data[key] = nil
            }
            self.met = nil
        }
        if isToReconcile { try await compare(site) }
        return repairs.isEmpty && page.isUpToDate
    }

    /// Fetches the bucket digests, and lists the buckets that differ.
    private mutating func compare(_ site: SyncSite) async throws {
        let digests = try await site.reader.buckets(of: scope).digests().folded(to: 3)
        var own = Array(repeating: SyncDigest(), count: 8)
        for (key, hash) in content { own[Self.bucket(of: key, bits: 3)].formXOR(Self.digest(of: key, hash)) }
        let others = own.indices.filter { own[$0] != digests.buckets[$0].digest }
        for buckets in [others.filter { $0 % 2 == 0 }, others.filter { $0 % 2 == 1 }] where !buckets.isEmpty {
            let listing = try await site.reader.entries(of: scope, in: buckets, bits: 3, limit: 1_000).listing()
            repairs.append(Repair(buckets: Set(buckets), bits: 3, listing: listing))
        }
        isToReconcile = false
    }

    /// Replaces everything that the copy has at versions up to the head of the list with the content of the list.
    private mutating func applyRepair(by repair: Repair) {
        let head = repair.listing.head
        let listed = Dictionary(uniqueKeysWithValues: repair.listing.entries.map { (Key(kind: $0.kind.rawValue, id: $0.id), $0) })
        for (key, stored) in copy where stored.version <= head && stored.hash != nil && listed[key] == nil {
            guard repair.buckets.contains(Self.bucket(of: key, bits: repair.bits)) else { continue }
            copy[key] = (head, nil)
            data[key] = nil
            repaired += 1
        }
        for (key, entry) in listed {
            if let stored = copy[key] {
                guard stored.version <= head, stored.hash != entry.hash, stored.hash != nil || stored.version <= entry.version else {
                    continue
                }
            }
            copy[key] = (entry.version, entry.hash)
            data[key] = nil
            repaired += 1
        }
    }
}

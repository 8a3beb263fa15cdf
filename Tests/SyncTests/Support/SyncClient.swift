import EventLoop
import Feeds
import Postgres
import Security

@testable import Sync

/// A client that keeps a copy by the one rule there is: it applies what has a higher version than it has.
struct SyncClient {
    struct Key: Hashable, Comparable, CustomStringConvertible {
        let kind: String
        let id: String

        var description: String { "\(kind) \(id)" }

        static func < (a: Key, b: Key) -> Bool { (a.kind, a.id) < (b.kind, b.id) }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let scope: SyncScope
    private(set) var cursor: SyncCursor?
    /// What is gone has no hash.
    private(set) var copy: [Key: (version: Int, hash: String?)] = [:]
    private(set) var expiries = 0
    /// Whether there may be more than there should.
    private var isToReconcile = false
    /// The keys that were met since it began anew, where that was.
    private var met: Set<Key>?
    private let seal = SyncSeal.testing(1)

    init(_ scope: SyncScope) { self.scope = scope }

    var content: [Key: String] { copy.compactMapValues(\.hash) }

    var digest: SyncDigest {
        content.reduce(into: SyncDigest()) { digest, entry in
            let bytes = Digest.sha256(Array("\(entry.key.kind)\n\(entry.key.id)\n\(entry.value)".utf8))
            func half(_ place: Int) -> Int { bytes[place..<(place + 8)].reduce(0) { $0 << 8 | Int($1) } }
            digest.formXOR(SyncDigest(high: half(0), low: half(8)))
        }
    }

    mutating func begin() { (cursor, met) = (nil, []) }

    /// Goes back to where it was at another time, as one that lost its last writes would.
    mutating func rewind(to earlier: SyncCursor?) {
        // What was met on the way would be swept.
        if let earlier, met == nil { cursor = earlier }
    }

    /// One page. True where that was the last.
    mutating func step(_ shop: SyncShop, limit: Int) async throws -> Bool {
        let reading = try await shop.reader.read(scope, behind: cursor, limit: limit)
        if let cursor, let expiry = SyncExpiry(of: cursor, in: scope, at: reading.head) {
            expiries += 1
            switch expiry.recipe {
            case .upsertsThenReconcile, .reconcile:
                isToReconcile = true
                self.cursor = expiry.cursor
            case .full: begin()
            }
            return false
        }
        let before = cursor?.version ?? 0
        let page = try SyncPage(reading.rows, upTo: reading.end, behind: cursor, at: reading.head, within: .init(changes: limit)) { _ in [0]
        }
        var last = before
        for row in reading.rows.prefix(page.changes.count) {
            guard row.version > last else { throw Failure(description: "\(row.kind) \(row.id) has version \(row.version) behind \(last)") }
            last = row.version
            let key = Key(kind: row.kind.rawValue, id: row.id)
            met?.insert(key)
            if let present = copy[key], present.version >= row.version { continue }
            copy[key] = (row.version, row.content?.hash)
        }
        guard page.cursor.version > before || !page.hasMore else { throw Failure(description: "a page stays at \(before)") }
        // As it would come back.
        cursor = try seal.cursor(of: seal.text(of: page.cursor, in: scope), in: scope)
        if page.hasMore { return false }
        if let met {
            for key in copy.keys where !met.contains(key) { copy[key] = nil }
            self.met = nil
        }
        if isToReconcile { try await reconcile(shop) }
        return true
    }

    private mutating func reconcile(_ shop: SyncShop) async throws {
        let digests = try await shop.reader.buckets(of: scope, bits: 3)
        let entries = try await shop.reader.entries(of: scope, in: Array(0..<8), bits: 3)
        let theirs = Dictionary(uniqueKeysWithValues: entries.map { (Key(kind: $0.kind, id: $0.id), $0.hash) })
        for key in copy.keys where theirs[key] == nil { copy[key] = nil }
        guard content == theirs else { throw Failure(description: "what was put is not there: \(content) where \(theirs) is") }
        guard digests.whole == digest, digests.entries == theirs.count else { throw Failure(description: "the buckets are others") }
        isToReconcile = false
    }
}

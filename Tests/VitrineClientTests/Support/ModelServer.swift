import JSON
import Security
import TestSupport
import Values

@testable import VitrineClient

/// A minimal sync server: one scope, dense versions, purged tombstones and forked histories.
struct ModelServer {
    struct Row: Equatable {
        let key: EntityKey
        let version: Int
        /// The hash of the document. Nil if the entry is a tombstone.
        let hash: String?
    }

    private struct Cursor {
        var epoch: Int
        var version: Int
        var base: Int
        var received: Int

        var text: String { "\(epoch).\(version).\(base).\(received)" }

        init(epoch: Int, version: Int, base: Int, received: Int) {
            (self.epoch, self.version, self.base, self.received) = (epoch, version, base, received)
        }

        init?(_ text: String) {
            let parts = text.split(separator: ".").compactMap { Int($0) }
            guard parts.count == 4 else { return nil }
            self.init(epoch: parts[0], version: parts[1], base: parts[2], received: parts[3])
        }
    }

    private(set) var rows: [EntityKey: Row] = [:]
    private(set) var head = 0
    private var floor = 0
    /// The start version of each epoch.
    private var starts = [0]
    private var previous: [(rows: [EntityKey: Row], head: Int, floor: Int)] = []
    private var contents = 0
    /// Whether responses have the later fields of the protocol: the version of a reconcile resync, and the heads of lists.
    var isComplete = true
    private(set) var expiries: [String: Int] = [:]

    var content: [EntityKey: String] { rows.compactMapValues(\.hash) }

    // MARK: Writes

    mutating func save(_ key: EntityKey) {
        head += 1
        contents += 1
        rows[key] = Row(key: key, version: head, hash: "h\(contents)")
    }

    mutating func remove(_ key: EntityKey) {
        guard rows[key]?.hash != nil else { return }
        head += 1
        rows[key] = Row(key: key, version: head, hash: nil)
    }

    mutating func write(_ count: Int, ids: Int = 60, using random: inout SeededRandom) {
        for _ in 0..<count {
            let key = EntityKey(kind: "item", id: "i\(Int.random(in: 0..<ids, using: &random))")
            if Int.random(in: 0..<3, using: &random) == 0 { remove(key) } else { save(key) }
        }
    }

    mutating func purge() {
        floor = head
        rows = rows.filter { $0.value.hash != nil }
    }

    /// Saves the state for a later `restore`.
    mutating func backUp() { previous.append((rows, head, floor)) }

    mutating func restore(using random: inout SeededRandom) {
        guard let state = previous.randomElement(using: &random) else { return }
        previous.removeAll { $0.head > state.head }
        // A later epoch does not include the versions after the backup, and epochs that started in between do not exist.
        (rows, head, floor) = (state.rows, state.head, state.floor)
        starts.append(head)
    }

    // MARK: Responses

    mutating func respond(_ request: SyncRequest, using random: inout SeededRandom) -> SyncResponse {
        switch request {
        case .page(let text, let limit, _): page(text, limit, &random)
        case .head: ok("{\"head\":\(head),\"entries\":\(content.count),\"digest\":\"\(copy.digest)\"}")
        case .digests: digests()
        case .bucketList(let bits, let buckets): list(bits, buckets)
        case .items(let ids):
            ok(
                "{\"items\":["
                    + ids.compactMap { rows[EntityKey(kind: "item", id: $0)] }.filter { $0.hash != nil }
                    .map { "{\"id\":\"\($0.key.id)\",\"version\":\($0.version)}" }.joined(separator: ",") + "]}")
        }
    }

    private func ok(_ text: String) -> SyncResponse { .response(status: 200, retryAfter: nil, body: Array(text.utf8)) }

    private mutating func page(_ text: String?, _ limit: Int, _ random: inout SeededRandom) -> SyncResponse {
        var cursor = Cursor(epoch: starts.count - 1, version: 0, base: head, received: 0)
        if let text {
            guard let sent = Cursor(text) else {
                return .response(status: 400, retryAfter: nil, body: Array("{\"code\":\"invalidCursor\"}".utf8))
            }
            if let expired = expiry(of: sent) { return expired }
            cursor = sent
            cursor.epoch = starts.count - 1
        }
        let after = rows.values.filter { $0.version > cursor.version && ($0.hash != nil || $0.version > cursor.base) }
            .sorted { $0.version < $1.version }
        let count = Int.random(in: 1...max(1, min(limit, 9)), using: &random)
        let hasMore = after.count > count
        cursor.version = hasMore ? after[count - 1].version : head
        cursor.received = hasMore ? max(cursor.received, head) : 0
        let changes = after.prefix(count).map { row in
            let key = "\"kind\":\"\(row.key.kind)\",\"id\":\"\(row.key.id)\",\"version\":\(row.version)"
            return row.hash.map { "{\"op\":\"upsert\",\(key),\"hash\":\"\($0)\",\"data\":{\"title\":\"\($0)\"},\"new\":[1]}" }
                ?? "{\"op\":\"delete\",\(key)}"
        }
        return ok(
            """
            {"cursor":"\(cursor.text)","hasMore":\(hasMore),"upToDate":\(!hasMore),"version":\(cursor.version),"head":\(head),
            "expiresAfter":"P60D","changes":[\(changes.joined(separator: ","))]}
            """)
    }

    private mutating func expiry(of cursor: Cursor) -> SyncResponse? {
        let last = starts.count - 1
        let end = starts[(cursor.epoch + 1)...].min() ?? .max
        if cursor.epoch > last || max(cursor.version, cursor.received) > end {
            let isRepaired = cursor.received == 0 && end >= floor && cursor.epoch <= last
            let version = isComplete ? "\"version\":\(isRepaired ? end : 0)," : ""
            let cursorText = Cursor(epoch: last, version: end, base: 0, received: 0).text
            return gone(isRepaired ? "reconcile" : "full", "historyForked", version + (isRepaired ? "\"cursor\":\"\(cursorText)\"," : ""))
        }
        guard max(cursor.version, cursor.base) < floor else { return nil }
        let cursorText = Cursor(epoch: last, version: cursor.version, base: floor, received: cursor.received).text
        return gone("upsertsThenReconcile", "tombstonesPurged", "\"cursor\":\"\(cursorText)\",")
    }

    private mutating func gone(_ kind: String, _ reason: String, _ more: String) -> SyncResponse {
        expiries[kind, default: 0] += 1
        return .response(
            status: 410, retryAfter: 7,
            body: Array("{\"code\":\"cursorExpired\",\"reason\":\"\(reason)\",\"resync\":{\(more)\"kind\":\"\(kind)\"}}".utf8))
    }

    /// The local copy of a client that is up to date.
    private var copy: LocalCopy {
        var copy = LocalCopy.testing
        for row in rows.values { copy.apply(.repair(row.key, version: row.version, row.hash.map { CopyContent(hash: $0, data: nil) })) }
        return copy
    }

    private func digests() -> SyncResponse {
        let texts = copy.digests(bits: 4).map { Base64URL.decode($0.description) ?? [] }
        return ok("{\"head\":\(head),\"bits\":4,\"entries\":\(content.count),\"buckets\":\"\(Base64URL.encode(texts.flatMap(\.self)))\"}")
    }

    private func list(_ bits: Int, _ buckets: [Int]) -> SyncResponse {
        guard buckets.count <= 6 else { return .response(status: 400, retryAfter: nil, body: Array("{\"code\":\"tooMuch\"}".utf8)) }
        let copy = self.copy
        let listed = Array(buckets.prefix(4))
        let entries = rows.values.filter { $0.hash != nil && listed.contains(copy.bucket(of: $0.key.id, bits: bits)) }.map { row in
            "{\"kind\":\"item\",\"id\":\"\(row.key.id)\",\"version\":\(row.version),\"hash\":\"\(row.hash ?? "")\"}"
        }
        let reported = "\"listedBuckets\":[\(listed.map(String.init).joined(separator: ","))]"
        return ok("{\(isComplete ? "\"head\":\(head)," : "")\"bits\":\(bits),\(reported),\"entries\":[\(entries.joined(separator: ","))]}")
    }
}

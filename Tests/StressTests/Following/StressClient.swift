import EventLoop
import Host
import JSON
import Security
import TestSupport
import VitrineClient

/// The reference client with faults: it loses responses, its last writes or all its data, and sometimes damages its cursor. It checks
/// every response.
struct StressClient: Sendable {
    /// An earlier state, to which the client returns.
    private struct Past {
        let cursor: String
        let version: Int
        /// The head of the last page, if it was complete.
        var completeHead: Int?
    }

    /// The limits of a page, as large as its budget allows.
    private static let pageLimits = JSONLimits(bytes: 4 << 20, depth: 64, keyBytes: 1_024, values: 1_000_000)

    let scope: CopyScope
    private let outcome: StressOutcome
    private let send: Asker
    /// The number of seconds for which each request waits.
    private let wait: Int
    private let isSteady: Bool
    private var random: SeededRandom
    private(set) var follower: SyncEngine
    private var limit = 200
    private var past: Past?
    /// The cursor of the last request and its version, if known.
    private var place: Past?

    /// Creates a client. A steady one follows without faults.
    init(_ scope: CopyScope, asking send: Asker, isSteady: Bool = false, seed: UInt64, _ outcome: StressOutcome) {
        self.scope = scope
        self.send = send
        self.isSteady = isSteady
        self.outcome = outcome
        wait = isSteady ? 5 : 1
        random = SeededRandom(seed: seed)
        follower = SyncEngine(LocalCopy(sha256: Digest.sha256), limit: 200, wait: wait)
    }

    mutating func run(on loop: EventLoop, while isToGoOn: () -> Bool, received: (StressClient) -> Void = { _ in }) async throws {
        while isToGoOn() {
            if !isSteady { try await misbehave(on: loop) }
            try await step(on: loop)
            received(self)
        }
    }

    /// Follows without faults until the client is at the head. Returns false if it does not get there in time.
    mutating func settle(at head: Int, on loop: EventLoop, until deadline: Deadline) async throws -> Bool {
        while deadline > .now {
            try await step(on: loop)
            if follower.isUpToDate, follower.copy.version >= head { return true }
        }
        return false
    }

    // MARK: Steps

    /// Makes one request or one pause.
    mutating func step(on loop: EventLoop) async throws {
        switch follower.next() {
        case .pause(let seconds): try await loop.sleep(until: .after(.milliseconds(Int(min(seconds, 0.3) * 1_000))))
        case .send(let request):
            let start = ContinuousClock.now
            // The response is lost, although the server may have sent it.
            let isLost = !isSteady && chance(25)
            let response = try await send(
                request, of: scope, within: isLost ? .milliseconds(number(1...30)) : .seconds(request.timeout + 10), on: loop)
            let time = start.duration(to: .now)
            if case .response(let status, _, let body) = response {
                outcome.count("responses")
                if status == 200 { try judge(body, of: request, time) }
                if status == 410 { outcome.count("expired cursors") }
                outcome.expect(
                    [200, 410, 429, 503].contains(status), .orderly,
                    "\(request) is answered with \(status): \(String(decoding: body.prefix(500), as: UTF8.self))")
            } else {
                outcome.count("lost responses")
            }
            do throws(SyncError) {
                let progress = try follower.handle(response, using: &random)
                judge(progress)
            } catch {
                outcome.violate(.sealed, "\(scope): \(error)")
                try await loop.sleep(until: .after(.milliseconds(100)))
                startFollowing()
            }
        }
    }

    private mutating func startFollowing() {
        follower = SyncEngine(LocalCopy(sha256: Digest.sha256), limit: limit, wait: wait)
        (past, place) = (nil, nil)
    }

    // MARK: Checks

    /// Checks a page.
    private mutating func judge(_ body: [UInt8], of request: SyncRequest, _ time: Duration) throws {
        guard case .page(let cursor, let limit, let wait) = request else { return }
        let page = try JSONDocument(parsing: body, limits: Self.pageLimits).root
        let changes = page["changes"].map { Array($0.elements) } ?? []
        let versions = changes.compactMap { $0["version"]?.integer }
        let (version, head) = (page["version"]?.integer ?? -1, page["head"]?.integer ?? -1)
        let hasMore = page["hasMore"]?.bool ?? false
        outcome.expect(changes.count <= limit, .limited, "\(changes.count) changes where \(limit) were asked for")
        outcome.expect(!hasMore || page["cursor"]?.string != cursor, .moves, "\(scope): a page with more stays at \(version)")
        let before = place?.cursor == cursor ? place?.version ?? 0 : 0
        outcome.expect(
            zip([before] + versions, versions + [version + 1]).allSatisfy { $0 < $1 }, .monotonic,
            "\(scope): behind \(before) come \(versions), up to \(version)")
        outcome.expect(version <= head, .monotonic, "\(scope): at \(version) of \(head)")
        outcome.expect(time < .seconds(wait) + .seconds(8), .timely, "\(scope): a question with a wait of \(wait) took \(time)")
        let isUpToDate = page["upToDate"]?.bool == true
        // A page without changes ends a wait only if its head has become complete.
        let completes = isUpToDate && (place?.cursor != cursor || place?.completeHead != head)
        if wait > 0, changes.isEmpty, !hasMore, !completes {
            outcome.expect(time > .milliseconds(wait * 900), .timely, "\(scope): nothing after \(time)")
        }
        if let cursor = page["cursor"]?.string { place = Past(cursor: cursor, version: version, completeHead: isUpToDate ? head : nil) }
    }

    private mutating func judge(_ progress: SyncUpdate) {
        outcome.count("changes", progress.changes.count)
        for change in progress.changes {
            guard let data = change.after?.data, change.key.kind == "item" else { continue }
            outcome.expect(Self.count(in: data) != Writer.dirty, .clean, "\(scope): \(change.key) has what was rolled back")
        }
        for case .repaired in progress.notes { outcome.count("repairs") }
        guard follower.isUpToDate, progress.notes.contains(where: { if case .upToDate = $0 { true } else { false } }) else { return }
        outcome.count("times up to date")
        var halves: [Substring: Int] = [:]
        for (slug, count) in counts where slug.hasPrefix("pair-") {
            let pair = slug.dropLast(2)
            outcome.expect(
                halves.updateValue(count, forKey: pair).map { $0 == count } ?? true, .cut, "\(scope): the halves of \(pair) differ")
        }
        judgeArms()
    }

    /// Checks that each client has one arm in each experiment of a page, and sees the section of this arm and no other one.
    private func judgeArms() {
        for feed in scope.feeds ?? [] {
            do throws(JSONError) {
                let arms = try ArmPages(of: feed, in: follower.copy, storefront: scope.storefront)
                if !arms.sections.isEmpty { outcome.count("pages with arms") }
                for issue in arms.issues() { outcome.violate(.assigned, "\(scope): \(issue)") }
            } catch {
                outcome.violate(.orderly, "\(scope): the page of \(feed) cannot be read: \(error)")
            }
        }
    }

    /// The rating count of each item, by its slug.
    var counts: [String: Int] {
        var counts: [String: Int] = [:]
        for (key, entry) in follower.copy.entries where key.kind == "item" {
            guard let data = entry.content?.data, let root = Self.root(data), let slug = root["slug"]?.string else { continue }
            counts[slug] = root["rating"]?["count"]?.integer ?? 0
        }
        return counts
    }

    func count(of key: EntityKey) -> Int? { follower.copy[key]?.data.flatMap(Self.count) }

    private static func count(in data: [UInt8]) -> Int? { root(data)?["rating"]?["count"]?.integer }

    private static func root(_ data: [UInt8]) -> JSONNode? {
        do throws(JSONError) { return try JSONDocument(parsing: data).root } catch { return nil }
    }

    // MARK: Faults

    private mutating func misbehave(on loop: EventLoop) async throws {
        if chance(30) {
            limit = number(1...7) * (chance(3) ? 100 : 1)
            follower = SyncEngine(follower.copy, limit: limit, wait: wait)
        }
        if chance(60) {
            outcome.count("fresh starts")
            startFollowing()
        }
        let copy = follower.copy
        if let cursor = copy.cursor, !copy.isLoading, !copy.needsRepair, past == nil || chance(100) {
            past = Past(cursor: cursor, version: copy.version)
        }
        // During a load, the end of the load would remove the entries of the replay.
        if let past, !copy.isLoading, chance(20) {
            outcome.count("replays")
            var previous = copy
            previous.apply(.move(cursor: past.cursor, version: past.version))
            follower = SyncEngine(previous, limit: limit, wait: wait)
            if chance(3) { self.past = nil }
        }
        if let cursor = copy.cursor, chance(20) { try await damage(cursor, on: loop) }
        if chance(10) { try await loop.sleep(until: .after(.milliseconds(number(1...400)))) }
    }

    private mutating func damage(_ cursor: String, on loop: EventLoop) async throws {
        var letters = Array(cursor)
        let index = number(0...(letters.count - 1))
        letters[index] = letters[index] == "x" ? "y" : "x"
        let damaged = chance(2) ? String(letters) : String(letters.prefix(index))
        if damaged.isEmpty { return }
        let response = try await send(.page(cursor: damaged, limit: limit, wait: 0), of: scope, within: .seconds(10), on: loop)
        guard case .response(let status, _, let body) = response, status != 503 else { return }
        outcome.count("damaged cursors")
        outcome.expect(
            status == 400 || status == 410, .sealed,
            "a damaged cursor is answered with \(status): \(String(decoding: body.prefix(500), as: UTF8.self))")
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func chance(_ of: Int) -> Bool { number(1...of) == 1 }
}

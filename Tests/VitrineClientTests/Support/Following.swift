import TestSupport

@testable import VitrineClient

/// A sync engine, driven one request and response at a time.
struct Following {
    var follower: SyncEngine
    var random = SeededRandom(seed: 1)
    private(set) var pauses: [Double] = []

    init(_ copy: LocalCopy = .testing, wait: Int = 25) { follower = SyncEngine(copy, limit: 100, wait: wait) }

    var copy: LocalCopy { follower.copy }

    /// Returns the next request, and records the pauses before it.
    mutating func send() -> SyncRequest {
        while true {
            switch follower.next() {
            case .send(let request): return request
            case .pause(let seconds): pauses.append(seconds)
            }
        }
    }

    @discardableResult
    mutating func respond(_ text: String) throws(SyncError) -> SyncUpdate { try respond(200, text) }

    @discardableResult
    mutating func respond(_ status: Int, _ text: String, retryAfter: Int? = nil) throws(SyncError) -> SyncUpdate {
        try follower.handle(.response(status: status, retryAfter: retryAfter, body: Array(text.utf8)), using: &random)
    }

    /// Sends a request and handles a page as its response, which arrives after the given number of seconds.
    @discardableResult
    mutating func page(
        _ changes: String..., cursor: String, version: Int, head: Int? = nil, hasMore: Bool = false, isUpToDate: Bool? = nil,
        after seconds: Double = 60
    ) throws(SyncError) -> SyncUpdate {
        _ = send()
        let text = """
            {"cursor":"\(cursor)","hasMore":\(hasMore),"upToDate":\(isUpToDate ?? !hasMore),"version":\(version),"head":\(head ?? version),
            "changes":[\(changes.joined(separator: ","))]}
            """
        return try follower.handle(.response(status: 200, retryAfter: nil, body: Array(text.utf8)), after: seconds, using: &random)
    }

    static func save(_ id: String, _ version: Int, _ hash: String, kind: String = "item") -> String {
        "{\"op\":\"upsert\",\"kind\":\"\(kind)\",\"id\":\"\(id)\",\"version\":\(version),\"hash\":\"\(hash)\",\"data\":{\"title\":\"\(hash)\"}}"
    }

    static func gone(_ id: String, _ version: Int) -> String {
        "{\"op\":\"delete\",\"kind\":\"item\",\"id\":\"\(id)\",\"version\":\(version)}"
    }
}

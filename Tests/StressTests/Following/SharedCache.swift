import HTTP
import HTTPMessages
import Host

/// A cache between clients and servers that stores responses for their maximum age, shared by many clients.
final class SharedCache: Sendable {
    struct StoredResponse: Sendable {
        let tag: String
        let body: [UInt8]
        let expiry: ContinuousClock.Instant

        var isFresh: Bool { .now < expiry }
    }

    private let stored = Locked<[String: StoredResponse]>([:])

    subscript(target: String) -> StoredResponse? { stored.withLock { $0[target] } }

    /// Stores a response with status 200, or extends a stored one after a 304.
    func keep(_ response: InboundResponse, of target: String, _ body: [UInt8]) {
        guard let control = response.fields.list(.cacheControl), control.contains("public"), let tag = response.fields[.etag],
            let match = control.firstMatch(of: #/max-age=([0-9]+)/#), let seconds = Int(match.1)
        else { return }
        stored.withLock { stored in
            if stored.count > 500 { stored = [:] }
            stored[target] = StoredResponse(tag: String(tag), body: body, expiry: .now + .seconds(seconds))
        }
    }
}

import HTTP
import HTTPMessages
import Host

/// A cache between clients and servers that stores responses for their maximum age, shared by many clients.
final class SharedCache: Sendable {
    struct Kept: Sendable {
        let tag: String
        let body: [UInt8]
        let expiry: ContinuousClock.Instant

        var isFresh: Bool { .now < expiry }
    }

    private let kept = Locked<[String: Kept]>([:])

    subscript(target: String) -> Kept? { kept.withLock { $0[target] } }

    /// Stores a response with status 200, or extends a stored one after a 304.
    func keep(_ answer: InboundResponse, of target: String, _ body: [UInt8]) {
        guard let control = answer.fields.list(.cacheControl), control.contains("public"), let tag = answer.fields[.etag],
            let match = control.firstMatch(of: #/max-age=([0-9]+)/#), let seconds = Int(match.1)
        else { return }
        kept.withLock { kept in
            if kept.count > 500 { kept = [:] }
            kept[target] = Kept(tag: String(tag), body: body, expiry: .now + .seconds(seconds))
        }
    }
}

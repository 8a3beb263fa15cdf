import HTTP
import HTTPMessages
import Host

/// What stands between clients and servers and keeps answers for as long as it is told; one for many clients.
final class SharedCache: Sendable {
    struct Kept: Sendable {
        let tag: String
        let body: [UInt8]
        let expiry: ContinuousClock.Instant

        var isFresh: Bool { .now < expiry }
    }

    private let kept = Locked<[String: Kept]>([:])

    subscript(target: String) -> Kept? { kept.withLock { $0[target] } }

    /// An answer of 200, or the news that the one that was kept is still good.
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

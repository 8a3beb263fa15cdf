internal import HTTP
internal import Host
internal import Items
internal import JSON
internal import Server
internal import Settings
internal import Sync
internal import Telemetry
internal import Values

extension Doctor {
    var serverChecks: [Check] { syncKeys + server }

    /// The check that the selected server knows every key of sync.keys, and above all the signing one. If it lacks a
    /// key, it rejects the cursors of servers that sign with it with 410.
    var syncKeys: [Check] {
        let keys = settings.sync.keys
        guard let first = keys.first else { return [] }
        let others = keys.dropFirst().map { "\($0.id)" }.joined(separator: ", ")
        let found = "key \(first.id) signs\(others.isEmpty ? "" : ", and \(others) only verify")"
        do {
            let session = RemoteSession(console: console)
            let url = try session.chosen(session.environmentWords()).server
            guard let result = try SyncKeyProbe(url: url, keys: keys).run() else { return [.ok("sync-keys", found)] }
            return [check(result, first, found, "\(url)")]
        } catch {
            let reason = (error as? RemoteError)?.message ?? "\(error)"
            return [
                .note(
                    "sync-keys", "\(found); cannot check whether the server knows the keys: \(reason)",
                    "Select a server with VITRINE_SERVER or VITRINE_PROFILE.")
            ]
        }
    }

    private func check(_ result: SyncKeyProbe.Result, _ first: SyncKey, _ found: String, _ server: String) -> Check {
        let reload = "Reload the server with SIGHUP."
        switch result {
        case .signsWithUnknownKey:
            return .attention(
                "sync-keys", "\(found); \(server) signs with a key that sync.keys does not have",
                "Configure every server with the same keys, including the signing key.")
        case .knows(let known, let signing):
            let missing = settings.sync.keys.map(\.id).filter { !known.contains($0) }
            if missing.contains(first.id) {
                return .attention(
                    "sync-keys", "\(found); \(server) does not know key \(first.id)",
                    "Sign with the old key first: vitrine sync keys --activate \(signing). Reload every server with SIGHUP, and then activate key \(first.id)."
                )
            }
            guard missing.isEmpty else {
                let text = missing.map { "\($0)" }.joined(separator: ", ")
                return .attention(
                    "sync-keys", "\(found); \(server) does not know \(text)", "\(reload) A key must not sign before every server knows it."
                )
            }
            return signing == first.id
                ? .ok("sync-keys", "\(found); \(server) knows all of them")
                : .note("sync-keys", "\(found); \(server) knows all of them, and signs with \(signing)", reload)
        }
    }
}

/// A probe of a server's keys. It signs one of the server's cursors with each key, and the server accepts it or rejects
/// it with 410.
private struct SyncKeyProbe {
    enum Result: Sendable {
        case signsWithUnknownKey
        case knows([UInt8], signing: UInt8)
    }

    private static let limit = Duration.seconds(3)

    let url: ServerURL
    let keys: [SyncKey]

    /// Returns nil if the server has no storefront yet, and so no cursor.
    func run() throws -> Result? {
        Signal.holdStopping()
        return try LoopSession(interrupts: Signal.stopping).run { [url, keys] loop in
            var server = AdminClient(client: try HTTPClient(url, on: loop), token: Secret(""))
            server.timeout = Self.limit
            guard let storefront = try await server.storefronts().first else { return nil }
            let scope = SyncScope(storefront: storefront.key, feeds: nil, locale: storefront.defaultLocale)
            return try await Self.probe(server, scope, keys)
        } ?? nil
    }

    private static func probe(_ server: AdminClient, _ scope: SyncScope, _ keys: [SyncKey]) async throws -> Result {
        let signers = try keys.map { (id: $0.id, codec: try CursorCodec([$0])) }
        let page = try await server.getPublic(path(of: scope), query(of: scope))
        guard let text = page["cursor"]?.string else { throw AdminClient.notVitrineServer }
        var own: (id: UInt8, cursor: SyncCursor)?
        for (id, codec) in signers {
            do throws(CursorCodec.Failure) { own = (id, try codec.cursor(of: text, in: scope)) } catch { continue }
        }
        guard let own else { return .signsWithUnknownKey }
        var known: [UInt8] = []
        for (id, codec) in signers {
            let cursor = (name: "cursor", value: String?.some(codec.text(of: own.cursor, in: scope)))
            do {
                _ = try await server.getPublic(path(of: scope), query(of: scope) + [cursor])
                known.append(id)
            } catch let failure as RemoteError where ["cursorExpired", "invalidCursor"].contains(failure.code) {}
        }
        return .knows(known, signing: own.id)
    }

    private static func path(of scope: SyncScope) -> String { "\(scope.storefront.percentEncoded())/sync" }

    private static func query(of scope: SyncScope) -> AdminClient.Query {
        [(name: "locale", value: scope.locale.text), (name: "limit", value: "1")]
    }
}

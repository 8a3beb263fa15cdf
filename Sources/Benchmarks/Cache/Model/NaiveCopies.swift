import Foundation
import Host
import JSON

/// The local copies of all storefronts and locales, as of one version.
final class NaiveCopies: Sendable {
    let version: Int
    private let copies: [String: NaiveCopy]

    init(_ feeds: TrialFeeds, from origin: PageConnection) throws {
        var loaded: (version: Int, copies: [String: NaiveCopy])
        // A change while the copies are loaded would give them different versions.
        repeat {
            loaded = (try Self.version(of: origin), [:])
            for storefront in feeds.storefronts {
                for locale in storefront.locales {
                    loaded.copies["\(storefront.key)/\(locale)"] = try NaiveCopy(of: storefront, in: locale, from: origin)
                }
            }
        } while try Self.version(of: origin) != loaded.version
        (version, copies) = loaded
    }

    func copy(for client: TrialClient) -> NaiveCopy? { copies["\(client.storefront)/\(client.locale)"] }

    /// Returns the published version of the server.
    static func version(of origin: PageConnection) throws -> Int {
        // A cache between the trial and the server has the head for a second. The trial asks the server itself.
        guard let version = try origin.json("/v1/us/sync/head?locale=en").root["head"]?.integer else {
            throw BenchmarkFailure(reason: "the head has no version")
        }
        return version
    }
}

/// The model of a trial, which is loaded again after the server has published changes.
final class CurrentModel: Sendable {
    private let feeds: TrialFeeds
    private let origin: Int
    private let model: Locked<NaiveCopies>
    private let loading = NSLock()

    init(_ feeds: TrialFeeds, origin: Int) throws {
        self.feeds = feeds
        self.origin = origin
        model = Locked(try NaiveCopies(feeds, from: PageConnection(port: origin)))
    }

    var latest: NaiveCopies { model.withLock { $0 } }

    /// Returns the model of the present version, or nil if it is the given one.
    func newer(than old: NaiveCopies) throws -> NaiveCopies? {
        loading.lock()
        defer { loading.unlock() }
        let known = latest
        guard known === old else { return known }
        let connection = try PageConnection(port: origin)
        guard try NaiveCopies.version(of: connection) != old.version else { return nil }
        let loaded = try NaiveCopies(feeds, from: connection)
        model.withLock { $0 = loaded }
        return loaded
    }
}

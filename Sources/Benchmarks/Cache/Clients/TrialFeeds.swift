import Foundation
import JSON
import ScreenFiles

/// The storefronts and feeds of the server, and all values of the parameters of a page.
struct TrialFeeds: Sendable {
    struct Storefront: Sendable {
        let key: String
        let locales: [String]
        let feeds: [String]
    }

    let storefronts: [Storefront]
    /// The platforms of a new catalog, which serves all of them.
    let platforms = ["ios", "ipados", "macos", "watchos", "tvos", "visionos", "android", "linux"]
    let screens: [String]

    /// The number of pages that a cache can store if clients sort their parameters.
    var pages: Int { pagesByLocale * (platforms.count + 1) * (screens.count + 1) }

    /// The number of pages that a cache can store if the URL has only the locale.
    var pagesByLocale: Int { storefronts.reduce(0) { $0 + $1.feeds.count * $1.locales.count } }
}

extension TrialFeeds {
    /// Reads the feeds of a server. `hasScreens` is whether it has names of screens too.
    init(_ origin: PageConnection, hasScreens: Bool = true) throws {
        func list(_ path: String, _ name: String) throws -> [JSONNode] {
            try Array(origin.json(path).root[name]?.elements.map { $0 } ?? [])
        }
        screens = try hasScreens ? list("/v1/screens", "screens").compactMap { $0["name"]?.string } : []
        storefronts = try list("/v1/storefronts", "storefronts").map { storefront in
            let key = storefront["key"]?.string ?? ""
            let locales = storefront["locales"]?.elements.compactMap(\.string) ?? []
            let feeds = try list("/v1/\(key)/feeds?locale=\(locales.first ?? "")", "feeds").compactMap { $0["feed"]?.string }
            return Storefront(key: key, locales: locales, feeds: feeds)
        }
        guard storefronts.contains(where: { !$0.feeds.isEmpty }) else { throw BenchmarkFailure(reason: "the server has no feeds") }
    }
}

extension PageConnection {
    /// Returns the response to a request without other fields, uncompressed.
    func json(_ path: String) throws -> JSONDocument {
        try send(Array("GET \(path) HTTP/1.1\r\nhost: shop\r\n\r\n".utf8))
        let response = try receive()
        guard response.status == 200 else {
            throw BenchmarkFailure(reason: "\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
        return try JSONDocument(parsing: response.body, limits: .ownOutput)
    }
}

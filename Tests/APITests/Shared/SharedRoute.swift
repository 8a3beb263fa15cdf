/// A public GET route of the OpenAPI document with a request for each of its statuses.
struct SharedRoute {
    struct Request {
        /// The caches that may store the response.
        enum Scope {
            /// Any cache. The response depends only on the URL and on `Accept-Encoding`.
            case everyone
            /// The cache of one client. The response also depends on these request fields.
            case client([String])
            case nobody
        }

        /// The path with its query. `SharedSite` replaces the names that start with `$`.
        let path: String
        let status: Int
        let scope: Scope
        /// Whether the response may be requested any number of times. A stream takes a place until it ends.
        var isRepeatable = true

        /// Whether a cache may store the response, also if it is the cache of one client.
        var isStored: Bool {
            if case .nobody = scope { false } else { true }
        }
    }

    let pattern: String
    let requests: [Request]

    init(_ pattern: String, _ requests: Request...) { (self.pattern, self.requests) = (pattern, requests) }
}

extension SharedRoute.Request {
    fileprivate static func everyone(_ path: String, _ status: Int = 200) -> Self { Self(path: path, status: status, scope: .everyone) }

    /// A response that depends on `Accept-Language` and on these fields.
    fileprivate static func client(_ path: String, _ fields: [String] = []) -> Self {
        Self(path: path, status: 200, scope: .client(fields + ["accept-language"]))
    }

    fileprivate static func nobody(_ path: String, _ status: Int) -> Self { Self(path: path, status: status, scope: .nobody) }
}

extension SharedRoute {
    static let all = lists + items + pages + syncing + fixed

    private static let lists = [
        SharedRoute("/v1/storefronts", .everyone("/v1/storefronts"), .nobody("/v1/storefronts?x=1", 400)),
        SharedRoute("/v1/screens", .everyone("/v1/screens"), .nobody("/v1/screens?x=1", 400)),
        SharedRoute(
            "/v1/{storefront}/items", .everyone("/v1/us/items?limit=3&locale=es"), .everyone("/v1/us/items?locale=en&q=app"),
            .everyone("/v1/us/items?locale=en&platform=ipados"), .nobody("/v1/us/items?locale=en&platform=web", 400),
            .client("/v1/us/items"), .nobody("/v1/us/items?limit=0", 400), .nobody("/v1/xx/items?locale=en", 404),
            .nobody("/v1/us/items?cursor=$otherKey&locale=en", 410)),
        SharedRoute(
            "/v1/{storefront}/categories", .everyone("/v1/us/categories?locale=en"), .everyone("/v1/de/categories?kind=topApp&locale=de"),
            .client("/v1/us/categories"), .nobody("/v1/us/categories?kind=x", 400), .nobody("/v1/xx/categories?locale=en", 404)),
        SharedRoute(
            "/v1/{storefront}/charts/{chart}", .everyone("/v1/us/charts/top-free?limit=2&locale=en"), .client("/v1/us/charts/top-free"),
            .everyone("/v1/us/charts/top-free?limit=2&locale=en&platform=ios"),
            .nobody("/v1/us/charts/top-free?locale=en&platform=web", 400),
            .nobody("/v1/us/charts/top-free?limit=x", 400), .nobody("/v1/us/charts/none?locale=en", 404),
            .nobody("/v1/us/charts/top-free?cursor=$otherKey&locale=en", 410)),
    ]

    private static let items = [
        SharedRoute(
            "/v1/{storefront}/items/{id}", .everyone("/v1/us/items/$item?locale=es"), .everyone("/v1/us/items/topapp:app-1?locale=en"),
            .client("/v1/us/items/$item"), .everyone("/v1/us/items/topapp:app-8?locale=en", 308),
            .everyone("/v1/us/items/topapp:app-8", 308), .nobody("/v1/us/items/$item?x=1", 400),
            .nobody("/v1/us/items/topapp:none?locale=en", 404), .everyone("/v1/us/items/topapp:app-7?locale=en", 410),
            .everyone("/v1/us/items/topapp:app-7", 410)),
        SharedRoute(
            "/v1/images/{drawing}/{id}/{role}/{image}", .everyone("/v1/images/1/$item/icon/120x120.png"),
            .everyone("/v1/images/1/$item/icon/120x120.svg"), .nobody("/v1/images/1/$item/icon/121x121.png", 404),
            .nobody("/v1/images/1/$item/icon/120x120.png?n=1", 400)),
    ]

    private static let pages = [
        SharedRoute(
            "/v1/{storefront}/feeds", .everyone("/v1/us/feeds?locale=en"), .client("/v1/us/feeds"), .nobody("/v1/us/feeds?x=1", 400),
            .nobody("/v1/xx/feeds?locale=en", 404)),
        SharedRoute(
            "/v1/{storefront}/feeds/{feed}", .everyone("/v1/us/feeds/today?locale=es"),
            .everyone("/v1/us/feeds/today?locale=en&platform=ios&screen=ipad"), .client("/v1/us/feeds/today?platform=ios"),
            .client("/v1/us/feeds/today?form=personal", ["vitrine-client", "vitrine-layout"]),
            .nobody("/v1/us/feeds/today?platform=x", 400), .nobody("/v1/us/feeds/none?locale=en", 404)),
        SharedRoute(
            "/v1/{storefront}/feeds/{feed}/sections/{section}/items",
            .everyone("/v1/us/feeds/today/sections/apps/items?limit=2&locale=en"), .client("/v1/us/feeds/today/sections/apps/items"),
            .nobody("/v1/us/feeds/today/sections/apps/items?limit=0", 400),
            .nobody("/v1/us/feeds/today/sections/none/items?locale=en", 404), .nobody("$oldList", 410)),
        SharedRoute(
            "/v1/{storefront}/layouts/{id}", .everyone("/v1/us/layouts/$layout"), .nobody("/v1/us/layouts/$layout?x=1", 400),
            .nobody("/v1/us/layouts/none", 404)),
    ]

    private static let syncing = [
        SharedRoute(
            "/v1/{storefront}/sync", .everyone("/v1/us/sync?locale=en"), .everyone("/v1/us/sync?feeds=today&limit=2&locale=es"),
            .client("/v1/us/sync"), .nobody("/v1/us/sync?limit=0", 400), .nobody("/v1/xx/sync?locale=en", 404),
            .nobody("/v1/us/sync?cursor=$oldCursor&locale=en", 410)),
        SharedRoute(
            "/v1/{storefront}/sync/stream",
            Request(path: "/v1/us/sync/stream?locale=en", status: 200, scope: .nobody, isRepeatable: false),
            .nobody("/v1/us/sync/stream?limit=0", 400), .nobody("/v1/xx/sync/stream?locale=en", 404),
            .nobody("/v1/us/sync/stream?cursor=$oldCursor&locale=en", 410)),
        SharedRoute(
            "/v1/{storefront}/sync/head", .everyone("/v1/us/sync/head?locale=en"), .client("/v1/us/sync/head"),
            .nobody("/v1/us/sync/head?x=1", 400), .nobody("/v1/xx/sync/head?locale=en", 404)),
        SharedRoute(
            "/v1/{storefront}/sync/digest", .everyone("/v1/us/sync/digest?locale=en"), .client("/v1/us/sync/digest"),
            .nobody("/v1/us/sync/digest?bits=x", 400), .nobody("/v1/xx/sync/digest?locale=en", 404),
            .nobody("/v1/us/sync/digest?cursor=$oldCursor&locale=en", 410)),
    ]

    private static let fixed = [
        SharedRoute("/openapi.json", .everyone("/openapi.json"), .nobody("/openapi.json?n=1", 400)),
        SharedRoute("/docs", .everyone("/docs"), .nobody("/docs?utm_source=mail&utm_source=x", 308)),
        SharedRoute("/docs/style.css", .everyone("/docs/style.css"), .nobody("/docs/style.css?n=1", 400)),
        SharedRoute("/schemas/layout.json", .everyone("/schemas/layout.json"), .nobody("/schemas/layout.json?n=1", 400)),
        SharedRoute("/schemas/feed.json", .everyone("/schemas/feed.json"), .nobody("/schemas/feed.json?n=1", 400)),
        SharedRoute("/healthz", .nobody("/healthz", 200)),
        SharedRoute("/readyz", .nobody("/readyz", 200)), SharedRoute("/metrics", .nobody("/metrics", 200)),
    ]
}

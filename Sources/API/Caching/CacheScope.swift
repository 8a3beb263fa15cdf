internal import HTTP
internal import HTTPMessages

/// The caches that may store a response.
///
/// A public response depends only on its URL and on `Accept-Encoding`. Therefore any cache can store it under its
/// default key, even a cache that ignores `Vary`.
enum CacheScope: Sendable, Equatable {
    case `public`
    /// The cache of one client, because the response also depends on these request fields.
    case `private`([String])

    /// The maximum number of seconds for which a response is fresh.
    private static let longest = 60
    /// The maximum number of seconds for which a response is used, including the time in which it is stale.
    static let longestUse = 2 * longest

    /// Returns the scope of a response in one locale. If the URL has no locale, the client's languages choose it.
    static func ofLocale(in head: RequestHead) -> CacheScope {
        head.target.query["locale"] == nil ? .private(["accept-language"]) : .public
    }

    var vary: ResponseField {
        switch self {
        case .public: Representation.vary()
        case .private(let fields): Representation.vary(fields)
        }
    }

    /// Returns the `Cache-Control` of a response that is valid for a number of seconds. A shared cache serves a stale
    /// response while it requests a new one, so both times together end when the response becomes invalid. Zero is sent
    /// as well, because caches have defaults of their own.
    func cacheControl(for seconds: Int) -> ResponseField {
        let fresh = max(0, min(Self.longest, seconds))
        return control(fresh, stale: max(0, min(Self.longest, seconds - fresh)))
    }

    /// Returns the `Cache-Control` of a response that must not be served when it is no longer fresh.
    func cacheControl(fresh seconds: Int) -> ResponseField { control(seconds, stale: 0) }

    private func control(_ fresh: Int, stale: Int) -> ResponseField {
        switch self {
        case .public: ResponseField(.cacheControl, "public, max-age=\(fresh), stale-while-revalidate=\(stale)")
        case .private: ResponseField(.cacheControl, "private, max-age=\(fresh)")
        }
    }
}

extension Response {
    /// Whether a cache may store the response, for all clients or for one.
    var isStorable: Bool {
        func allows(_ field: ResponseField) -> Bool {
            field.name == .cacheControl && ["public", "private"].contains { field.value.utf8.starts(with: $0.utf8) }
        }
        return fields.contains(where: allows) || prepared?.fields.contains(where: allows) ?? false
    }
}

internal import HTTP
internal import HTTPMessages
package import Values

/// The announcement that a route will be removed: since when it is deprecated, when it ends, and how clients replace it.
///
/// The operation of the route has `deprecated: true` in the OpenAPI document.
package struct Deprecation: Sendable, Hashable {
    package let since: Timestamp
    /// The time from which the route may not exist.
    package let sunset: Timestamp
    /// The path or URL of a page that describes the replacement.
    package let guide: String

    package init(since: Timestamp, sunset: Timestamp, guide: String) {
        precondition(since <= sunset, "a route ends after its deprecation")
        (self.since, self.sunset, self.guide) = (since, sunset, guide)
    }

    /// The fields of RFC 9745 and RFC 8594.
    var fields: [ResponseField] {
        [
            ResponseField("deprecation", "@\(since.microseconds / 1_000_000)"), ResponseField("sunset", sunset.httpDate),
            ResponseField("link", "<\(guide)>; rel=\"deprecation\""),
        ]
    }
}

extension Route {
    /// Returns the route with the announcement in each of its responses.
    package func deprecated(_ deprecation: Deprecation) -> Route {
        Route(method, pattern, bodyLimit, isProbe: isProbe, rejection, deprecation, handler)
    }
}

extension Middleware {
    /// Announces in the responses of a deprecated route, also in errors, that it will be removed.
    package static let deprecation = Middleware(finish: { context, response in
        if let deprecation = context.route?.deprecation { response.fields += deprecation.fields }
    })
}

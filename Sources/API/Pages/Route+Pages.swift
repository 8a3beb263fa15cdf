internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Layout
internal import Security

extension Route {
    package static func pages(_ service: PageService) -> [Route] {
        [
            Route(.get, "/v1/{storefront}/feeds") { context in service.respond(to: context, .feeds) },
            Route(.get, "/v1/{storefront}/feeds/{feed}") { context in service.respond(to: context, .page) },
            Route(.get, "/v1/{storefront}/feeds/{feed}/sections/{section}/items") { context in service.respond(to: context, .section) },
            Route(.get, "/v1/{storefront}/layouts/{id}") { context throws(Problem) in
                try QueryParameters(context.head.target.query, known: []).finish()
                guard let state = service.current else { throw Problem.notReadYet }
                guard state.storefronts[context.parameters["storefront"]] != nil else { throw Problem.unknownStorefront }
                guard let id = LayoutID(context.parameters["id"]), let layout = state.layouts.table[id] else {
                    throw Problem(
                        .notFound, code: "unknownLayout",
                        detail: "No layout with this ID was ever published. Load the feed again to get its current layout IDs.")
                }
                return context.respond {
                    try context.respond(
                        Representation(
                            layout.json(), type: "application/json", version: id.text,
                            fields: [ResponseField(.cacheControl, "public, max-age=31536000, immutable")], effort: .quick))
                }
            },
            screens(service.screens), schema("/schemas/layout.json", { LayoutSchema.document }),
            schema("/schemas/feed.json", { FeedSchema.document }),
        ]
    }

    /// The screens for which a page states the lengths of its sections.
    private static func screens(_ screens: ScreenMatrix) -> Route {
        let document: [UInt8]
        do throws(JSONError) {
            var json = JSONWriter(capacity: 2_048)
            json.object { json in
                json.member("screens", each: screens.screens) { json, screen in
                    json.object { json in
                        json.member("name", screen.name)
                        json.member("title", screen.title)
                        json.member("width", screen.environment.width)
                        json.member("height", screen.environment.height)
                    }
                }
            }
            document = try json.finish()
        } catch { preconditionFailure("every number of a screen is finite: \(error)") }
        let representation = Representation(
            document, type: "application/json", version: Digest.tag(of: document),
            fields: [CacheScope.public.cacheControl(fresh: 3_600)], effort: .quick)
        return Route("/v1/screens", representation)
    }

    private static func schema(_ pattern: PathPattern, _ make: @Sendable () -> JSONValue) -> Route {
        let document: [UInt8]
        do throws(JSONError) { document = try make().json() } catch { preconditionFailure("every number of a schema is finite: \(error)") }
        let representation = Representation(
            document, type: "application/schema+json", version: Digest.tag(of: document),
            fields: [CacheScope.public.cacheControl(fresh: 3_600)], effort: .quick)
        return Route(pattern, representation)
    }
}

internal import APIFiles
internal import HTTP
internal import HTTPMessages
internal import Security

extension Route {
    /// What all routes answer, for whoever writes a client.
    package static func openAPI() -> Route {
        let document = APIFiles.openAPI
        let representation = Representation(
            document, type: "application/json", version: Digest.tag(of: document),
            fields: [ResponseField(.cacheControl, "public, max-age=3600")], effort: .quick)
        return Route(.get, "/openapi.json") { call in call.answer(representation) }
    }

    /// All that a server answers: each is in `config/api/openapi.json`.
    package static func all(
        _ readiness: ServerReadiness, _ metrics: Metrics, _ catalog: CatalogService, _ pages: PageService, _ sync: SyncService,
        _ admin: AdminService
    ) -> [Route] {
        operations(readiness, metrics) + [.openAPI(), .images()] + Route.catalog(catalog) + Route.pages(pages) + Route.sync(sync)
            + Route.admin(admin)
    }
}

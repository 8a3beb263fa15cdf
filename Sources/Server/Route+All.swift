internal import API

extension Route {
    /// All that a server answers: each is in `config/api/openapi.json`.
    static func all(
        _ readiness: ReadinessCheck, _ metrics: Metrics, _ catalog: CatalogService, _ pages: PageService, _ sync: SyncService,
        _ admin: AdminService
    ) -> [Route] {
        operations(readiness, metrics) + [.openAPI(), .images()] + Route.catalog(catalog) + Route.pages(pages) + Route.sync(sync)
            + Route.admin(admin)
    }
}

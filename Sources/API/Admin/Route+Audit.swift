internal import Access
internal import Catalog
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Values

extension Route {
    static func audit(_ service: AdminService) -> [Route] {
        [admin(.get, "/admin/v1/audit", .read, service) { request in try await request.audit() }]
    }
}

extension AdminRequest {
    fileprivate func audit() async throws -> Response {
        var parameters = QueryParameters(context.head.target.query, known: ["feed", "actor", "since", "cursor", "limit"])
        var filter = AuditFilter()
        filter.feed = parameters.text("feed", upTo: 64)
        filter.actor = parameters.text("actor", upTo: 80)
        filter.since = parameters.time("since")
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { [filter] transaction in
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = ["audit", filter.feed ?? "", filter.actor ?? "", filter.since?.description ?? ""].joined(separator: "\n")
            let below = try cursor.map { text throws(Problem) in try signer.number(text, of: list, in: context) }
            let entries = try await transaction.audit.entries(filter, below: below, limit: limit + 1)
            let page = AdminListPage(
                "entries", Array(entries.prefix(limit)),
                next: entries.count > limit ? signer.cursor(at: ["\(entries[limit - 1].number)"], in: list) : nil, of: context)
            return try page.response
        }
    }
}

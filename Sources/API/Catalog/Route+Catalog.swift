internal import Catalog
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Values

extension Route {
    package static func catalog(_ service: CatalogService) -> [Route] {
        [
            Route(.get, "/v1/storefronts") { context throws(Problem) in
                try QueryParameters(context.head.target.query, known: []).finish()
                return context.later { loop in
                    let storefronts = try await service.reader(context, on: loop).storefronts()
                    return try await CatalogResponse(nil) { $0.member("storefronts", storefronts) }.response(to: context, on: loop)
                }
            },
            Route(.get, "/v1/{storefront}/items/{id}") { context throws(Problem) in
                try QueryParameters(context.head.target.query, known: ["locale"]).finish()
                let reference = try context.parameters.value("id") { ItemReference($0) }
                return context.later { loop in try await StorefrontRequest(context, service, on: loop).item(reference) }
            },
            Route(.get, "/v1/{storefront}/items") { context throws(Problem) in
                let request = try ListRequest(context.head.target.query)
                return context.later { loop in try await StorefrontRequest(context, service, on: loop).list(request) }
            },
            Route(.get, "/v1/{storefront}/categories") { context throws(Problem) in
                var parameters = QueryParameters(context.head.target.query, known: ["kind", "locale"])
                let kind: ItemKind? = parameters.choice("kind")
                try parameters.finish()
                return context.later { loop in try await StorefrontRequest(context, service, on: loop).categories(of: kind) }
            },
            Route(.get, "/v1/{storefront}/charts/{chart}") { context throws(Problem) in
                var parameters = QueryParameters(context.head.target.query, known: ["cursor", "limit", "locale", "platform"])
                let limit = parameters.integer("limit", in: 1...CatalogReader.largestPage, clamps: true) ?? ListRequest.usualLimit
                let platform = parameters.slug("platform")
                try parameters.finish()
                return context.later { loop in
                    try await StorefrontRequest(context, service, on: loop).chart(context.parameters["chart"], on: platform, limit: limit)
                }
            },
        ]
    }
}

extension StorefrontRequest {
    fileprivate func item(_ reference: ItemReference) async throws -> Response {
        var named: NamedItem?
        let id: UUID
        switch reference {
        case .id(let requested): id = requested
        case .slug:
            named = try await reader.item(reference)
            guard let named else { throw Problem.unknownItem }
            guard named.isWithdrawn || named.reference == reference else { return redirect(to: named) }
            id = named.id
        }
        guard let item = try await reader.items([id], in: storefront).first else {
            if named == nil { named = try await reader.item(reference) }
            guard let named else { throw Problem.unknownItem }
            throw named.isWithdrawn ? Problem.itemWithdrawn : Problem.notHere
        }
        let rendered = rendered(item, isComplete: true)
        var reply = try CatalogResponse(locales.requested) {
            $0.member("id", id.description)
            rendered.encodeMembers(to: &$0)
        }
        reply.expire(with: [item], in: storefront, at: reader.time)
        var response = try await response(reply)
        if named != nil, response.status != .preconditionFailed {
            response.fields.append(ResponseField("content-location", path(of: id.description)))
        }
        return response
    }

    /// Redirects a request with a former slug to the present one, for a short time: two items can exchange their slugs.
    private func redirect(to item: NamedItem) -> Response {
        let location = ResponseField("location", path(of: item.reference.description))
        return Response(.permanentRedirect, fields: [location, CacheScope.public.cacheControl(fresh: 5)])
    }

    /// Returns the path of an item with the query of the request.
    private func path(of item: String) -> String {
        let query = context.head.target.query["locale"].map { "?\([(name: "locale", value: $0)].query)" } ?? ""
        return "/v1/\(storefront.key)/items/\(item)\(query)"
    }

    fileprivate func list(_ request: ListRequest) async throws -> Response {
        let list = self.list("items", request.parameters)
        let position = try self.position(request.cursor, in: list)
        let page: ItemPage
        switch request.content {
        case .ids(let ids): page = ItemPage(items: try await reader.items(ids, in: storefront))
        case .search(let text):
            page = try await reader.search(text, request.filter, in: storefront, after: position, limit: request.limit)
        case .list(let order):
            page = try await reader.browse(request.filter, by: order, in: storefront, locales, after: position, limit: request.limit)
        }
        if page.items.isEmpty { try await check(request) }
        return try await respond(page, at: "items", request.parameters, limit: request.limit, of: list)
    }

    /// Throws if the platform does not exist, which only the database knows.
    private func check(platform: String?) async throws {
        guard let platform else { return }
        let platforms = try await reader.platforms()
        if !platforms.contains(platform) { throw Problem(parameter: "platform", QueryParameters.expected(platforms)) }
    }

    /// Throws if the platform, the category or the chart does not exist.
    private func check(_ request: ListRequest) async throws {
        try await check(platform: request.filter.platform)
        if let category = request.filter.category, try await !reader.hasCategory(category) {
            var problem = Problem(parameter: "category", "expected the key of a category")
            problem.see = "/v1/\(storefront.key)/categories"
            throw problem
        }
        if case .list(.chart(let name)) = request.content, try await !reader.hasChart(name, in: storefront) {
            throw Problem(parameter: "chart", "expected the name of a chart of the storefront")
        }
    }

    fileprivate func categories(of kind: ItemKind?) async throws -> Response {
        let categories = try await reader.categories(of: kind, in: storefront)
        var reply = try CatalogResponse(locales.requested) { json in
            json.member("categories", each: categories) { json, category in
                json.object {
                    $0.member("key", category.key)
                    $0.member("itemKind", category.itemKind)
                    $0.member("title", locales.pick(category.titles) ?? category.key)
                    $0.member("itemCount", category.items)
                }
            }
        }
        if let change = categories.compactMap(\.nextChange).min() { reply.expire(at: change, after: reader.time) }
        return try await response(reply)
    }

    fileprivate func chart(_ name: String, on platform: String?, limit: Int) async throws -> Response {
        let parameters: ListParameters = platform.map { [(name: "platform", value: $0)] } ?? []
        let list = self.list("chart \(name)", parameters)
        var filter = ItemFilter()
        filter.platform = platform
        let position = try self.position(context.head.target.query["cursor"], in: list)
        let page = try await reader.browse(filter, by: .chart(name), in: storefront, locales, after: position, limit: limit)
        if page.items.isEmpty {
            guard try await reader.hasChart(name, in: storefront) else {
                throw Problem(
                    .notFound, code: "unknownChart", detail: "The chart does not exist in this storefront. Check the name of the chart.")
            }
            try await check(platform: platform)
        }
        return try await respond(page, at: "charts/\(name)", parameters, limit: limit, of: list)
    }
}

extension Problem {
    fileprivate static var unknownItem: Problem {
        Problem(.notFound, code: "unknownItem", detail: "The item does not exist. Check the ID or the slug.")
    }

    fileprivate static var notHere: Problem {
        Problem(
            .notFound, code: "notHere",
            detail: "The item is not available in this storefront now. Choose another item or storefront.")
    }

    fileprivate static var itemWithdrawn: Problem {
        var problem = Problem(.gone, code: "itemWithdrawn", detail: "The item was withdrawn from the catalog. Remove links to it.")
        problem.isCacheable = true
        return problem
    }
}

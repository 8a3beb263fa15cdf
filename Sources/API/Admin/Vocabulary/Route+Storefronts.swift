internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import Values

extension Route {
    static func storefronts(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/storefronts", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                return try await request.reading { transaction in
                    let storefronts = try await transaction.vocabulary.storefronts()
                    return try AdminListPage("storefronts", storefronts, next: nil, of: request.context).response
                }
            },
            admin(.get, "/admin/v1/storefronts/{storefront}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let key = try request.storefront()
                return try await request.reading { transaction in
                    guard let storefront = try await transaction.vocabulary.storefront(key) else { throw Problem.unknownAdminStorefront }
                    return AdminResponse(try VocabularyState(storefront).resource).response
                }
            },
            admin(.put, "/admin/v1/storefronts/{storefront}", .admin, bodyLimit: .bytes(1 << 16), service) { request in
                let key = try request.storefront()
                return try await request.saving(.storefront(key), as: .saveStorefront) { transaction, record in
                    guard case .storefront(let storefront) = record else { throw Problem.recordMismatch("/kind", expected: "storefront") }
                    guard storefront.key == key else { throw Problem.recordMismatch("/key", expected: key) }
                    guard try await transaction.vocabulary.storefront(key)?.closedAt == nil else { throw Problem.storefrontClosed }
                }
            },
            admin(.post, "/admin/v1/storefronts/{storefront}:close", .admin, service) { request in
                let key = try request.storefront()
                return try await request.changing(.storefront(key), as: .closeStorefront, unknown: .unknownAdminStorefront) { transaction in
                    try await transaction.vocabulary.closeStorefront(key)
                }
            },
            admin(.delete, "/admin/v1/storefronts/{storefront}", .admin, service) { request in
                let key = try request.storefront()
                return try await request.changing(.storefront(key, andUses: true), as: .deleteStorefront, unknown: .unknownAdminStorefront)
                {
                    transaction in
                    let store = transaction.vocabulary
                    guard try await !store.wasStorefrontShown(key) else { throw Problem.storefrontShown }
                    let uses = try await store.uses(ofStorefront: key)
                    guard uses.items == 0, uses.charts == 0 else { throw Problem.storefrontNotEmpty(uses) }
                    try await store.removeStorefront(key)
                }
            },
        ]
    }
}

extension VocabularyEdit {
    fileprivate static func storefront(_ key: String, andUses: Bool = false) -> VocabularyEdit {
        VocabularyEdit(path: "storefronts/\(key)") { transaction in
            try await transaction.vocabulary.heldStorefront(key, andUses: andUses).map { try VocabularyState($0) }
        }
    }
}

extension Problem {
    /// The problem of an unknown storefront, which is not even a closed one.
    static var unknownAdminStorefront: Problem {
        Problem(
            .notFound, code: "unknownStorefront", detail: "The storefront does not exist. Use a key from the list of storefronts.",
            see: "/admin/v1/storefronts")
    }

    fileprivate static var storefrontClosed: Problem {
        Problem(.conflict, code: "storefrontClosed", detail: "The storefront is closed and cannot change. Change an open storefront.")
    }

    fileprivate static var storefrontShown: Problem {
        Problem(
            .conflict, code: "storefrontShown",
            detail: "Clients saw feeds in the storefront, so it cannot be deleted. Close the storefront instead.")
    }

    fileprivate static func storefrontNotEmpty(_ uses: VocabularyStore.StorefrontUses) -> Problem {
        var problem = Problem(
            .conflict, code: "storefrontNotEmpty",
            detail: """
                The storefront has prices or availability of items (\(uses.items)), or charts (\(uses.charts)). Delete its charts and save the \
                items without it, or close the storefront instead.
                """)
        problem.members = [
            Problem.Extension(name: "itemCount", json: Array("\(uses.items)".utf8)),
            Problem.Extension(name: "chartCount", json: Array("\(uses.charts)".utf8)),
        ]
        return problem
    }
}

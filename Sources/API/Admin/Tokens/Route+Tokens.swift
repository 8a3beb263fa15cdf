internal import Access
internal import Catalog
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security
internal import Telemetry
internal import Values

extension Route {
    static func tokens(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/tokens", .admin, service) { request in try await request.tokens() },
            admin(.post, "/admin/v1/tokens", .admin, bodyLimit: .standard, service) { request in try await request.createToken() },
            admin(.get, "/admin/v1/tokens/{id}", .admin, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let id = try request.tokenID()
                return try await request.reading { transaction in
                    AdminResponse(try transaction.state(of: try await transaction.token(id))).response
                }
            },
            admin(.delete, "/admin/v1/tokens/{id}", .admin, service) { request in try await request.revokeToken() },
        ]
    }
}

extension AdminTransaction {
    fileprivate func token(_ id: UUID) async throws -> TokenRecord {
        guard let token = try await tokens.token(id) else {
            throw Problem(
                .notFound, code: "unknownToken", detail: "The token does not exist. Use an ID from the list of tokens.",
                see: "/admin/v1/tokens")
        }
        return token
    }

    /// Returns the state of a token with a tag that does not depend on its use.
    fileprivate func state(of token: TokenRecord) throws -> TaggedResource {
        try TaggedResource(tag: Digest.tag(of: try token.unused.json()), token)
    }
}

extension AdminRequest {
    fileprivate func tokens() async throws -> Response {
        var parameters = QueryParameters(context.head.target.query, known: ["includeRevoked", "cursor", "limit"])
        let withRevoked = parameters.bool("includeRevoked") ?? false
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = "tokens\n\(withRevoked)"
            let after = try cursor.map { text throws(Problem) in
                guard let id = try signer.read(text, of: list, in: context).first.flatMap({ UUID($0) }) else { throw Problem.damagedCursor }
                return id
            }
            let tokens = try await transaction.tokens.tokens(withRevoked: withRevoked, after: after, limit: limit + 1)
            let page = AdminListPage(
                "tokens", Array(tokens.prefix(limit)),
                next: tokens.count > limit ? signer.cursor(at: ["\(tokens[limit - 1].id)"], in: list) : nil, of: context)
            return try page.response
        }
    }

    fileprivate func tokenID() throws(Problem) -> UUID { try context.parameters.value("id") { UUID($0) } }

    /// Creates a token. The secret is only in this response: a repeated request with the same key receives the token
    /// without it.
    fileprivate func createToken() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let order: CreateTokenRequest
        do throws(JSONError) { order = try CreateTokenRequest(parsing: context.request.body) } catch { throw Problem(error) }
        return try await changing { transaction in
            let token = AccessToken.new()
            let record = try await transaction.tokens.create(token, name: order.name, scope: order.scope, lifetime: order.lifetime)
            let state = try transaction.state(of: record)
            try await transaction.record(AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: state.document))
            var response = AdminResponse(
                .created, try CreatedToken(record: record, token: token).json(), tag: state.tag, location: "/admin/v1/tokens/\(record.id)")
            response.retained = try CreatedToken(record: record, token: nil).json()
            return response
        }
    }

    /// Revokes a token. It takes effect immediately, because each request looks its token up.
    fileprivate func revokeToken() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let id = try tokenID()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.tokens.hold(id)
            let before = try await transaction.token(id)
            try condition.check(try transaction.state(of: before))
            guard let after = try await transaction.tokens.revoke(id) else { return AdminResponse(try transaction.state(of: before)) }
            let state = try transaction.state(of: after)
            try await transaction.record(AuditedChange(.revokeToken, of: "tokens/\(id)", from: try before.json(), to: state.document))
            return AdminResponse(state)
        }
    }
}

struct CreatedToken: JSONObjectEncodable {
    let record: TokenRecord
    /// The secret; nil in the response to a repeated request.
    let token: AccessToken?

    func encodeMembers(to json: inout JSONWriter) {
        json.member("token", record)
        json.member("secret", token?.secret.exposed)
    }
}

struct CreateTokenRequest: JSONObjectDecodable {
    let name: String
    let scope: TokenScope
    /// The lifetime of the token; nil if it is valid until it is revoked.
    let lifetime: Duration?

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let name = object.required("name", as: String.self, .bytes(1...80))
        let scope = object.required("scope", as: ScopeToken.self)
        // Ten years, like `vitrine token create`.
        let seconds = object.optional("lifetimeSeconds", as: Int.self, .in(60...315_360_000))
        self.name = try name()
        self.scope = try scope().scope
        lifetime = seconds.map { .seconds($0) }
    }

    private struct ScopeToken: JSONDecodable {
        let scope: TokenScope

        init(from json: JSONReader) throws(JSONReadError) {
            scope = TokenScope.allCases[try json.choice(among: TokenScope.allCases.map(\.rawValue))]
        }
    }
}

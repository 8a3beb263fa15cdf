internal import Access
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security
internal import Values

extension Route {
    /// Who may do what.
    static func tokens(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/tokens", .admin, service) { call in
                var parameters = QueryParameters(call.call.head.target.query, known: ["revoked"])
                let withRevoked = parameters.truth("revoked") ?? false
                try parameters.finish()
                return try await call.reading { desk in
                    let tokens = try await desk.tokens.tokens(withRevoked: withRevoked)
                    return AdminResponse(.ok, try ["tokens": tokens].json()).response
                }
            },
            admin(.post, "/admin/v1/tokens", .admin, bodyLimit: .standard, service) { call in try await call.createToken() },
            admin(.get, "/admin/v1/tokens/{id}", .admin, service) { call in
                try QueryParameters(call.call.head.target.query, known: []).finish()
                let id = try call.tokenID()
                return try await call.reading { desk in AdminResponse(try desk.state(of: try await desk.token(id))).response }
            },
            admin(.delete, "/admin/v1/tokens/{id}", .admin, service) { call in try await call.revokeToken() },
        ]
    }
}

extension AdminTransaction {
    fileprivate func token(_ id: UUID) async throws -> TokenRecord {
        guard let token = try await tokens.token(id) else {
            throw Problem(.notFound, code: "unknownToken", detail: "There is no such token. GET /admin/v1/tokens lists them.")
        }
        return token
    }

    /// The same however often it is used.
    fileprivate func state(of token: TokenRecord) throws -> TaggedResource {
        try TaggedResource(tag: Digest.tag(of: try token.unused.json()), token)
    }
}

extension AdminRequest {
    fileprivate func tokenID() throws(Problem) -> UUID { try call.parameters.value("id") { UUID($0) } }

    /// The secret is in this answer alone: whoever asks again under the same key is told of the token without it.
    fileprivate func createToken() async throws -> Response {
        try QueryParameters(call.head.target.query, known: []).finish()
        let order: CreateTokenRequest
        do throws(JSONError) { order = try CreateTokenRequest(parsing: call.request.body) } catch { throw Problem(error) }
        return try await changing { desk in
            let token = AccessToken.new()
            let record = try await desk.tokens.create(token, name: order.name, scope: order.scope, lifetime: order.lifetime)
            let state = try desk.state(of: record)
            try await desk.record(AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: state.document))
            var answer = AdminResponse(
                .created, try CreatedToken(record: record, token: token).json(), tag: state.tag, location: "/admin/v1/tokens/\(record.id)")
            answer.kept = try CreatedToken(record: record, token: nil).json()
            return answer
        }
    }

    /// At once: each request looks its token up.
    fileprivate func revokeToken() async throws -> Response {
        try QueryParameters(call.head.target.query, known: []).finish()
        let id = try tokenID()
        let condition = try EditPrecondition(of: self)
        return try await changing { desk in
            try await desk.tokens.hold(id)
            let before = try await desk.token(id)
            try condition.check(try desk.state(of: before))
            guard let after = try await desk.tokens.revoke(id) else { return AdminResponse(try desk.state(of: before)) }
            let state = try desk.state(of: after)
            try await desk.record(AuditedChange(.revokeToken, of: "tokens/\(id)", from: try before.json(), to: state.document))
            return AdminResponse(state)
        }
    }
}

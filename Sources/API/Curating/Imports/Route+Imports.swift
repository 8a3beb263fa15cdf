internal import Catalog
internal import CatalogImport
internal import Curating
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Postgres

extension Route {
    /// Catalog files as they come, and what became of them.
    static func imports(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/imports", .read, service) { call in try await call.imports() },
            upload(service),
            admin(.get, "/admin/v1/imports/{id}", .read, service) { call in
                try QueryParameters(call.call.head.target.query, known: []).finish()
                let id = try call.importID()
                return try await call.reading { desk in AdminAnswer(.ok, try await desk.importRecord(id).json()).response }
            },
            admin(.get, "/admin/v1/imports/{id}/rejects", .read, service) { call in try await call.rejects() },
        ]
    }

    /// The most bytes of a file.
    private static let largestFile = 16 << 30
    /// How long a file may take to come and to be written. One that is only tried keeps others from writing all the while.
    private static func patience(isDryRun: Bool) -> Duration { isDryRun ? .seconds(120) : .seconds(3_600) }

    /// Answered when all is written, as long as that takes; nobody waits for it with a desk or with a connection of the pages.
    private static func upload(_ service: AdminService) -> Route {
        Route(.post, "/admin/v1/imports", bodyLimit: .stream(largestFile)) { call in
            let wish = ImportWish(call)
            return call.waiting(until: .after(patience(isDryRun: wish.isDryRun))) { loop in
                try await Problem.translating {
                    try service.access.screen(call)
                    let pool = service.catalog.pool(loop)
                    let admitted = try await service.room(of: pool).seated {
                        try await AdminCall(admitting: call, needing: .publish, service, pool)
                    }
                    let options = try wish.options(call)
                    guard let hall = service.imports, let upload = call.request.upload else {
                        throw Problem(.unavailable, code: "notHere", detail: "This server imports nothing.")
                    }
                    let record = try await hall.carryOut(
                        ImportHall.Order(
                            upload: upload, options: options, chunkSize: wish.chunkSize, curator: admitted.curator, request: call.id.text))
                    guard let failure = record.failure else {
                        return AdminAnswer(.created, try record.json(), location: "/admin/v1/imports/\(record.id)").response
                    }
                    throw try Problem(record, failure)
                }
            }
        }.refusing { head in service.access.refusal(of: head) }
    }
}

/// How a file is to be imported, as the query says it.
private struct ImportWish: Sendable {
    private let parameters: QueryParameters
    let isDryRun: Bool
    let chunkSize: Int
    private let maxRejects: Int

    init(_ call: Call) {
        var parameters = QueryParameters(call.head.target.query, known: ["dryRun", "chunk", "maxRejects"])
        isDryRun = parameters.truth("dryRun") ?? false
        chunkSize = parameters.integer("chunk", in: 1...10_000) ?? 1_000
        maxRejects = parameters.integer("maxRejects", in: 0...1_000) ?? 100
        self.parameters = parameters
    }

    /// Throws what is wrong with the query, once it is known who asks.
    func options(_ call: Call) throws(Problem) -> ImportOptions {
        try parameters.finish()
        if call.head.fields.contains("idempotency-key") {
            throw Problem(
                .badRequest, code: "invalidIdempotencyKey",
                detail: "An import takes no Idempotency-Key: what is as the file says already is not written again.")
        }
        var options = ImportOptions()
        options.isDryRun = isDryRun
        options.maxRejects = maxRejects
        // Nobody knows when an upload ends.
        options.closesEmptyCatalog = false
        return options
    }
}

extension Desk {
    fileprivate func importLog() throws -> ImportLog {
        try ImportLog(service.library, ImportConnection(within: connection, until: call.call.deadline))
    }

    fileprivate func importRecord(_ id: Int) async throws -> ImportRecord {
        guard let record = try await importLog().imports(id, limit: 1).first else {
            throw Problem(.notFound, code: "unknownImport", detail: "There is no such import. GET /admin/v1/imports lists them.")
        }
        return record
    }
}

extension AdminCall {
    fileprivate func importID() throws(Problem) -> Int { try call.parameters.value("id") { Int($0) } }

    fileprivate func imports() async throws -> Response {
        var parameters = QueryParameters(call.head.target.query, known: ["cursor", "limit"])
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { desk in
            let seal = try await service.catalog.seal(desk.reader())
            let below = try cursor.map { text throws(Problem) in try seal.number(text, of: "imports") }
            let imports = try await desk.importLog().imports(below: below, limit: limit + 1)
            let page = AdminPage(
                name: "imports", elements: Array(imports.prefix(limit)),
                next: imports.count > limit ? seal.cursor(at: ["\(imports[limit - 1].id)"], in: "imports") : nil)
            return AdminAnswer(.ok, try page.json()).response
        }
    }

    fileprivate func rejects() async throws -> Response {
        let id = try importID()
        var parameters = QueryParameters(call.head.target.query, known: ["cursor", "limit"])
        let limit = parameters.integer("limit", in: 1...1_000, clamps: true) ?? 100
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { desk in
            _ = try await desk.importRecord(id)
            let seal = try await service.catalog.seal(desk.reader())
            let list = "rejects\n\(id)"
            let behind = try cursor.map { text throws(Problem) in try seal.number(text, of: list) } ?? 0
            let rejects = try await desk.importLog().rejects(of: id, behind: behind, limit: limit + 1)
            let page = AdminPage(
                name: "rejects", elements: rejects.prefix(limit).map { RenderedJSON(bytes: $0.document) },
                next: rejects.count > limit ? seal.cursor(at: ["\(rejects[limit - 1].number)"], in: list) : nil)
            return AdminAnswer(.ok, try page.json()).response
        }
    }
}

/// What is JSON already.
private struct RenderedJSON: JSONEncodable {
    let bytes: [UInt8]

    func encode(to json: inout JSONWriter) { json.rendered(bytes) }
}

extension Problem {
    /// What was written before stays, and is told.
    fileprivate init(_ record: ImportRecord, _ failure: String) throws(JSONError) {
        switch failure {
        case "tooManyRejects":
            self.init(
                .unprocessableContent, code: "tooManyRejects",
                detail: "More records were rejected than may be. GET /admin/v1/imports/\(record.id)/rejects tells them.")
        case "tooManyRefusals":
            self.init(
                .unprocessableContent, code: "tooManyRefusals",
                detail:
                    "The database refused too many records that are right in themselves. GET /admin/v1/imports/\(record.id)/rejects tells them."
            )
        default: self.init(.badRequest, code: "cutShort", detail: "The file did not come to its end. Import it again.")
        }
        members = [Member(name: "import", json: try record.json())]
    }
}

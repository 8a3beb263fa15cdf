internal import Access
internal import Catalog
internal import CatalogImport
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Postgres

extension Route {
    static func imports(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/imports", .read, service) { request in try await request.imports() },
            upload(service),
            admin(.get, "/admin/v1/imports/{id}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let id = try request.importID()
                return try await request.reading { transaction in AdminResponse(.ok, try await transaction.importRecord(id).json()).response
                }
            },
            admin(.get, "/admin/v1/imports/{id}/rejects", .read, service) { request in try await request.rejects() },
        ]
    }

    private static let largestFile = 16 << 30
    /// The time that is reserved at the end of the timeout to report what an import wrote.
    private static let finalResponseTimeout = Duration.seconds(15)

    /// Responds when all records are written, however long that takes. While it waits, it holds neither a permit nor a
    /// connection of the page pool. The body is requested after all other checks have passed.
    private static func upload(_ service: AdminService) -> Route {
        Route(.post, "/admin/v1/imports", bodyLimit: .stream(largestFile)) { context in
            let importRequest = ImportRequest(context)
            let end = Deadline.after(importRequest.timeout - Self.finalResponseTimeout)
            return context.waiting(until: end.advanced(by: Self.finalResponseTimeout)) { loop in
                try await Problem.translating {
                    let context = context.lasting(until: .after(service.timeout))
                    try service.access.screen(context)
                    let pool = service.catalog.pool(loop)
                    let admitted = try await service.limiter(of: pool).withPermit {
                        try await AdminRequest(admitting: context, needing: .publish, service, pool)
                    }
                    let file = try importRequest.order(of: admitted.curator, context)
                    guard let worker = service.imports, let upload = context.request.upload else {
                        throw Problem(
                            .unavailable, code: "importsDisabled",
                            detail: "Imports are disabled on this server. Send the file to a server that runs imports.")
                    }
                    let order = ImportWorker.Order(upload: upload, file: file, waitsForIndexing: importRequest.waitsForIndexing)
                    let record = try await admitted.watched(on: loop, until: end) {
                        try await worker.run(order, on: loop)
                    }
                    guard let failure = record.failure else {
                        return AdminResponse(.created, try record.json(), location: "/admin/v1/imports/\(record.id)").response
                    }
                    throw try Problem(record, failure)
                }
            }
        }.rejecting { head, client in service.access.rejection(of: head, from: client) }
    }
}

extension AdminTransaction {
    fileprivate func importLog() -> ImportLog { ImportLog(session) }

    fileprivate func importRecord(_ id: Int) async throws -> ImportRecord {
        guard let record = try await importLog().imports(id, limit: 1).first else {
            throw Problem(
                .notFound, code: "unknownImport", detail: "The import does not exist. Use an ID from the list of imports.",
                see: "/admin/v1/imports")
        }
        return record
    }
}

extension AdminRequest {
    /// The interval in which the token is checked. A running import ends if its token was revoked.
    private static let glance = Duration.seconds(1)

    fileprivate func watched(
        on loop: EventLoop, until end: Deadline, _ body: @escaping @Sendable () async throws -> ImportRecord
    ) async throws -> ImportRecord {
        try await withThrowingTaskGroup(of: ImportRecord?.self) { group in
            group.addTask(executorPreference: loop) { try await body() }
            group.addTask(executorPreference: loop) {
                repeat {
                    try await loop.sleep(until: .after(Self.glance), named: "import: check the token")
                } while await isStillIn() && end > .now
                let isLate = end <= .now
                context.request.upload?.fail(
                    isLate
                        ? RequestError(.requestTimeout, "the import took too long")
                        : RequestError(.unauthorized, "the token is expired or revoked"))
                return nil
            }
            for try await record in group {
                group.cancelAll()
                if let record { return record }
            }
            throw CancellationError()
        }
    }

    /// Returns true also if the token could not be checked.
    private func isStillIn() async -> Bool {
        do {
            return try await service.access.isStillGood(for: context, curator, PostgresSession(pool, within: .seconds(5)))
        } catch { return true }
    }

    fileprivate func importID() throws(Problem) -> Int { try context.parameters.value("id") { Int($0) } }

    fileprivate func imports() async throws -> Response {
        var parameters = QueryParameters(context.head.target.query, known: ["cursor", "limit"])
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            let signer = try await service.catalog.signer(transaction.catalog)
            let below = try cursor.map { text throws(Problem) in try signer.number(text, of: "imports", in: context) }
            let imports = try await transaction.importLog().imports(below: below, limit: limit + 1)
            let page = AdminListPage(
                "imports", Array(imports.prefix(limit)),
                next: imports.count > limit ? signer.cursor(at: ["\(imports[limit - 1].id)"], in: "imports") : nil, of: context)
            return try page.response
        }
    }

    fileprivate func rejects() async throws -> Response {
        let id = try importID()
        var parameters = QueryParameters(context.head.target.query, known: ["cursor", "limit"])
        let limit = parameters.integer("limit", in: 1...1_000, clamps: true) ?? 100
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            _ = try await transaction.importRecord(id)
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = "rejects\n\(id)"
            let after = try cursor.map { text throws(Problem) in try signer.number(text, of: list, in: context) } ?? 0
            let rejects = try await transaction.importLog().rejects(of: id, after: after, limit: limit + 1)
            let page = AdminListPage(
                "rejects", rejects.prefix(limit).map { RawJSON(bytes: $0.document) },
                next: rejects.count > limit ? signer.cursor(at: ["\(rejects[limit - 1].number)"], in: list) : nil, of: context)
            return try page.response
        }
    }
}

private struct RawJSON: JSONEncodable {
    let bytes: [UInt8]

    func encode(to json: inout JSONWriter) { json.rendered(bytes) }
}

extension Problem {
    /// Creates the problem of an import that ended early. It reports the records that were already written.
    init(_ record: ImportRecord, _ failure: String) throws(JSONError) {
        switch failure {
        case "tooManyRejects":
            self.init(
                .unprocessableContent, code: "tooManyRejects",
                detail: "The import stopped because it rejected too many records. Correct these records, then import the file again.",
                see: "/admin/v1/imports/\(record.id)/rejects")
        case "tooManyConstraintFailures":
            self.init(
                .unprocessableContent, code: "tooManyConstraintFailures",
                detail:
                    "The import stopped because too many records conflict with the catalog. Correct these records, then import the file again.",
                see: "/admin/v1/imports/\(record.id)/rejects"
            )
        case "tooManyRecords":
            self.init(
                .unprocessableContent, code: "tooManyRecords",
                detail: "The file has more records than an import accepts. Split it into several files.")
        case "unreadableFile":
            self.init(
                .unprocessableContent, code: "unreadableFile",
                detail: "The header of the CSV file is invalid. Correct it, then import the file again.",
                see: "/admin/v1/imports/\(record.id)/rejects")
        case "uploadTimeout":
            self.init(.requestTimeout, code: "uploadTimeout", detail: "The upload stalled or was too slow. Import the file again.")
        case "fileTooLarge":
            self.init(
                .contentTooLarge, code: "fileTooLarge", detail: "The file is larger than an import accepts. Split it into several files.")
        case "tokenRevoked": self = .invalidToken
        case "truncatedUpload":
            self.init(.badRequest, code: "truncatedUpload", detail: "The upload ended before the end of the file. Import the file again.")
        case "canceled": self.init(.unavailable, code: "canceled", detail: "The import was canceled. Import the file again.")
        default: self.init(.internalError, detail: "The import failed because of an error on the server. Import the file again.")
        }
        members = [Extension(name: "import", json: try record.json())]
    }
}

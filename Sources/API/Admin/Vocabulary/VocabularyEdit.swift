internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security

/// A storefront, a category or a chart in one state.
struct VocabularyState: Sendable {
    /// The state as GET shows it.
    let resource: TaggedResource
    /// The state as the audit log records it.
    let audited: [UInt8]

    init(_ value: some JSONEncodable) throws(JSONError) { try self.init(value, audited: value) }

    /// Without further values, the state is what the audit log records, and decides the tag.
    init(_ value: some JSONEncodable, audited: some JSONEncodable) throws(JSONError) {
        self.audited = try audited.json()
        resource = try TaggedResource(tag: Digest.tag(of: self.audited), value)
    }
}

/// An edit of one storefront, category or chart.
struct VocabularyEdit: Sendable {
    /// The path of the resource below `/admin/v1/`.
    let path: String
    /// Locks the resource until the transaction ends and returns its state; nil if it does not exist.
    let state: @Sendable (AdminTransaction) async throws -> VocabularyState?
}

extension AdminRequest {
    /// Saves the record in the body. `check` throws if it belongs to another resource, or if this one must not change.
    func saving(
        _ edit: VocabularyEdit, as action: AuditedChange.Action,
        check: @escaping @Sendable (AdminTransaction, CatalogRecord) async throws -> Void
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self, creates: true)
        return try await changing { transaction in
            try await transaction.vocabulary.takeTurn(at: edit.path)
            let before = try await edit.state(transaction)
            try condition.check(before?.resource)
            let record = try catalogRecord()
            try await check(transaction, record)
            let change = try await transaction.vocabulary.write(record)
            if case .rejected(let rejects) = change { throw Problem(invalidRecord: rejects) }
            // Another writer, such as an import, can create the resource after its absence was checked.
            guard let after = try await edit.state(transaction), before != nil || change.isCreation else { throw Problem.createdByOthers }
            guard after.audited != before?.audited else { return AdminResponse(after.resource) }
            try await transaction.record(AuditedChange(action, of: edit.path, from: before?.audited, to: after.audited))
            let resource = after.resource
            guard before == nil else { return AdminResponse(resource) }
            return AdminResponse(.created, resource.document, tag: resource.tag, location: "/admin/v1/\(edit.path)")
        }
    }

    /// Changes an existing resource; `body` returns without a change if there is nothing to do. Throws `unknown` if it
    /// does not exist.
    func changing(
        _ edit: VocabularyEdit, as action: AuditedChange.Action, unknown: Problem,
        _ body: @escaping @Sendable (AdminTransaction) async throws -> Void
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.vocabulary.takeTurn(at: edit.path)
            guard let before = try await edit.state(transaction) else { throw unknown }
            try condition.check(before.resource)
            try await body(transaction)
            let after = try await edit.state(transaction)
            guard after?.audited != before.audited else { return AdminResponse(before.resource) }
            try await transaction.record(AuditedChange(action, of: edit.path, from: before.audited, to: after?.audited))
            return after.map { AdminResponse($0.resource) } ?? AdminResponse(.noContent)
        }
    }

    /// Returns the record in the body.
    private func catalogRecord() throws(Problem) -> CatalogRecord {
        do throws(JSONError) {
            return try CatalogRecord(parsing: context.request.body, limits: .catalogRecord)
        } catch { throw Problem(error) }
    }
}

extension JSONLimits {
    /// The limits of a record in the body of a request.
    static let catalogRecord = JSONLimits(bytes: 1 << 20, depth: 8, values: 100_000)
}

extension Problem {
    /// The problem of a record whose kind or key is not that of the path. `pointer` is the location of the difference.
    static func recordMismatch(_ pointer: String, expected: String) -> Problem {
        var problem = Problem(
            .unprocessableContent, code: "recordMismatch",
            detail: "The record and the path name different resources. Use the kind and the key of the path in the record.")
        problem.issues = [FieldError(pointer: pointer, message: "expected \(expected)")]
        return problem
    }

    fileprivate static var createdByOthers: Problem {
        Problem(.conflict, detail: "Another request or an import created the resource at the same time. Read its state, then try again.")
    }

    /// The problem of a record that the catalog rejects.
    fileprivate init(invalidRecord rejects: [Reject]) {
        self.init(
            .unprocessableContent, code: "invalidRecord",
            detail: "The record violates constraints of the catalog. Correct the listed fields, then save the record again.")
        issues = rejects.map(FieldError.init)
    }
}

extension Problem.FieldError {
    init(_ reject: Reject) {
        switch reject.location {
        case .pointer(let text), .column(let text): self.init(pointer: text, message: reject.reason)
        }
    }
}

extension VocabularyStore.Change {
    fileprivate var isCreation: Bool {
        switch self {
        case .created: true
        case .changed, .unchanged, .rejected: false
        }
    }
}

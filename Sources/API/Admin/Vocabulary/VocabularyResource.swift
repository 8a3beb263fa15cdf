internal import Access
internal import CatalogImport
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security
internal import Values

/// A storefront, category, chart, platform or rating scheme that the path of a request names. Curators read, save and delete it as a whole.
protocol VocabularyResource: Sendable {
    /// The path of the list, and the path of one resource.
    static var paths: (list: PathPattern, resource: PathPattern) { get }
    /// The scope that changes require.
    static var scope: TokenScope { get }
    static var bodyLimit: BodyLimit { get }
    /// Returns the list, or a page of it.
    static func list(_ request: AdminRequest) async throws -> Response

    var name: VocabularyName { get }
    /// Throws if the path names no resource of this kind.
    init(_ request: AdminRequest) throws(Problem)
    /// Returns the state of the resource; nil if it does not exist. A lock lasts until the transaction ends.
    func state(in transaction: AdminTransaction, lock: VocabularyStore.Lock?) async throws -> VocabularyState?
    /// Throws if the existing resource must not change.
    func checkSave(in store: VocabularyStore) async throws
    /// Throws if the existing resource must not be deleted.
    func checkDeletion(in store: VocabularyStore) async throws
    /// Returns the findings about the resource after this transaction created it.
    func findings(in transaction: AdminTransaction) async throws -> [ReviewFinding]
}

extension VocabularyResource {
    static var bodyLimit: BodyLimit { .bytes(1 << 20) }
    func checkSave(in store: VocabularyStore) async throws {}
    func checkDeletion(in store: VocabularyStore) async throws {}
    func findings(in transaction: AdminTransaction) async throws -> [ReviewFinding] { [] }
}

/// A resource of the vocabulary in one state.
struct VocabularyState: Sendable {
    /// The state as GET shows it.
    private(set) var resource: TaggedResource
    /// The state as the audit log records it.
    private(set) var audited: [UInt8]

    init(_ value: some JSONEncodable) throws(JSONError) { try self.init(value, audited: value) }

    /// Creates the state of a resource. Without further values, the state is what the audit log records, and decides
    /// the tag.
    init(_ value: some JSONEncodable, audited: some JSONEncodable) throws(JSONError) {
        self.audited = try audited.json()
        resource = try TaggedResource(tag: Digest.tag(of: self.audited), value)
    }

    /// Returns the state with the findings of its change in the response. They are not a part of the resource, so the tag and the
    /// audit log do not have them.
    func adding(_ findings: [ReviewFinding]) throws(JSONError) -> VocabularyState {
        guard !findings.isEmpty else { return self }
        var value = JSONValue(try JSONDocument(parsing: resource.document, limits: .ownOutput).root)
        value["findings"] = JSONValue(try JSONDocument(parsing: findings.json(), limits: .ownOutput).root)
        var state = self
        state.resource = try TaggedResource(tag: Digest.tag(of: audited), value)
        return state
    }
}

extension Route {
    static func vocabulary(_ service: AdminService) -> [Route] {
        vocabulary(StorefrontResource.self, service) + [StorefrontResource.closing(service), StorefrontResource.opening(service)]
            + vocabulary(CategoryResource.self, service) + vocabulary(ChartResource.self, service)
            + vocabulary(PlatformResource.self, service) + vocabulary(RatingSchemeResource.self, service)
    }

    /// The routes of the list of a kind of resources, and of each of them.
    private static func vocabulary<Resource: VocabularyResource>(_ kind: Resource.Type, _ service: AdminService) -> [Route] {
        let paths = Resource.paths
        return [
            admin(.get, paths.list, .read, service) { request in try await Resource.list(request) },
            admin(.get, paths.resource, .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let resource = try Resource(request)
                return try await request.reading { transaction in
                    guard let state = try await resource.state(in: transaction, lock: nil) else { throw Problem.unknown(resource.name) }
                    return AdminResponse(state.resource).response
                }
            },
            admin(.put, paths.resource, Resource.scope, bodyLimit: Resource.bodyLimit, service) { request in
                try await request.save(try Resource(request))
            },
            admin(.delete, paths.resource, Resource.scope, service) { request in
                let resource = try Resource(request)
                return try await request.change(resource, as: .delete(resource.name.kind.rawValue), lock: .uses) { transaction in
                    try await resource.checkDeletion(in: transaction.vocabulary)
                    try await transaction.vocabulary.remove(resource.name)
                    return []
                }
            },
        ]
    }
}

extension AdminRequest {
    /// Returns the key, or the name, of a kind of resources in the path.
    func key(of kind: VocabularyKind) throws(Problem) -> String {
        try context.parameters.value(kind.rawValue) { kind.format.fits($0) ? $0 : nil }
    }

    /// Saves the record in the body, which must be that of the resource.
    fileprivate func save(_ resource: some VocabularyResource) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self, creates: true)
        let path = resource.name.path
        return try await changing { transaction in
            let store = transaction.vocabulary
            try await store.takeTurn(resource.name)
            let before = try await resource.state(in: transaction, lock: .record)
            try condition.check(before?.resource)
            let record = try record(of: resource.name)
            try await resource.checkSave(in: store)
            let change = try await store.write(record)
            if case .rejected(let rejects) = change { throw Problem(invalidRecord: rejects) }
            // Another writer, such as an import, can create the resource after its absence was checked.
            guard var after = try await resource.state(in: transaction, lock: .record), before != nil || change.isCreation else {
                throw Problem.createdByOthers
            }
            guard after.audited != before?.audited else { return AdminResponse(after.resource) }
            if before == nil { after = try after.adding(try await resource.findings(in: transaction)) }
            try await transaction.record(
                AuditedChange(.save(resource.name.kind.rawValue), of: path, from: before?.audited, to: after.audited))
            guard before == nil else { return AdminResponse(after.resource) }
            return AdminResponse(.created, after.resource.document, tag: after.resource.tag, location: "/admin/v1/\(path)")
        }
    }

    /// Changes an existing resource; `body` returns the findings of the change, and changes nothing if there is nothing to do.
    func change(
        _ resource: some VocabularyResource, as action: AuditedChange.Action, lock: VocabularyStore.Lock,
        _ body: @escaping @Sendable (AdminTransaction) async throws -> [ReviewFinding]
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.vocabulary.takeTurn(resource.name)
            guard let before = try await resource.state(in: transaction, lock: lock) else { throw Problem.unknown(resource.name) }
            try condition.check(before.resource)
            let findings = try await body(transaction)
            var after = try await resource.state(in: transaction, lock: lock)
            guard after?.audited != before.audited else { return AdminResponse(before.resource) }
            after = try after?.adding(findings)
            try await transaction.record(AuditedChange(action, of: resource.name.path, from: before.audited, to: after?.audited))
            return after.map { AdminResponse($0.resource) } ?? AdminResponse(.noContent)
        }
    }

    /// Returns the record in the body. Throws if it is not a record of this resource.
    private func record(of name: VocabularyName) throws(Problem) -> VocabularyRecord {
        let record: VocabularyRecord
        do throws(JSONError) { record = try VocabularyRecord(parsing: context.request.body, limits: .catalogRecord) } catch {
            throw Problem(error)
        }
        guard let found = record.name, found.kind == name.kind else {
            throw Problem.recordMismatch("/kind", expected: name.kind.rawValue)
        }
        for (expected, found) in zip(name.fields, found.fields) where found.value != expected.value {
            throw Problem.recordMismatch("/\(expected.key)", expected: expected.value)
        }
        return record
    }
}

extension JSONLimits {
    /// The limits of a record in the body of a request.
    static let catalogRecord = JSONLimits(bytes: 1 << 20, depth: 8, values: 100_000)
}

extension Problem {
    /// The problem of a resource that does not exist.
    static func unknown(_ name: VocabularyName) -> Problem {
        let code: Code =
            switch name.kind {
            case .storefront: "unknownStorefront"
            case .category: "unknownCategory"
            case .chart: "unknownChart"
            case .platform: "unknownPlatform"
            case .ratingScheme: "unknownRatingScheme"
            }
        let owner = name.fields.dropLast().map { " in this \($0.key)" }.joined()
        return Problem(
            .notFound, code: code,
            detail:
                "The \(name.kind.title) does not exist\(owner). Use a \(name.fields.last?.key ?? "") from the list of \(name.kind.plural).",
            see: "/admin/v1/\(name.listPath)")
    }

    /// The problem of a resource that cannot be deleted because items and other resources use it. `users` has the names of
    /// those by their kind.
    static func inUse(
        _ code: Code, _ kind: VocabularyKind, by items: VocabularyStore.ItemCount, _ users: [(kind: String, names: [String])],
        remedy: String
    ) throws(JSONError) -> Problem {
        var parts = items.all == 0 ? [] : ["\(items)"]
        for (kind, names) in users where !names.isEmpty {
            let shown = names.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
            parts.append("the \(kind)\(names.count == 1 ? "" : "s") \(shown)\(names.count > 10 ? " and \(names.count - 10) others" : "")")
        }
        var problem = Problem(
            .conflict, code: code, detail: "The \(kind.title) is used by \(parts.joined(separator: ", and by ")). \(remedy)")
        problem.members = [Problem.Extension(name: "itemCount", json: Array("\(items.all)".utf8))]
        for (kind, names) in users { problem.members.append(Problem.Extension(name: "\(kind)s", json: try names.json())) }
        return problem
    }

    /// The problem of a record whose kind or key is not that of the path. `pointer` is the location of the difference.
    fileprivate static func recordMismatch(_ pointer: String, expected: String) -> Problem {
        var problem = Problem(
            .unprocessableContent, code: "recordMismatch",
            detail: "The record and the path name different resources. In the record, use the kind and the key of the path.")
        problem.issues = [FieldError(pointer: pointer, message: "expected \(expected)")]
        return problem
    }

    fileprivate static var createdByOthers: Problem {
        Problem(.conflict, detail: "Another request or an import created the resource at the same time. Read its state, then try again.")
    }

    /// Creates the problem of a record that the catalog rejects.
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

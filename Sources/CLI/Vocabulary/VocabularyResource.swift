internal import Arguments
internal import CatalogImport
internal import Items
internal import JSON
internal import Values

/// A storefront, a category or a chart that a command names.
struct VocabularyResource: Sendable {
    /// The kind in sentences and in records, such as `category`.
    let kind: String
    /// The name in sentences.
    let name: String
    /// The path below `/admin/v1/`.
    let path: String
    /// The fields by which a record names the resource.
    let identity: [(key: String, value: String)]

    var title: String { "\(kind) '\(name)'" }

    /// Throws if the text cannot be the key of a category.
    static func category(_ key: String) throws(RemoteError) -> VocabularyResource {
        try check(key, as: .slug, "category key")
        return VocabularyResource(kind: "category", name: key, path: "categories/\(key)", identity: [("key", key)])
    }

    /// Throws if a text cannot be the key of a storefront or the name of a chart.
    static func chart(_ name: String, in storefront: String) throws(RemoteError) -> VocabularyResource {
        let owner = try self.storefront(storefront)
        try check(name, as: .slug, "chart name")
        return VocabularyResource(
            kind: "chart", name: name, path: "\(owner.path)/charts/\(name)", identity: [("storefront", storefront), ("name", name)])
    }

    /// Throws if the text cannot be the key of a storefront.
    static func storefront(_ key: String) throws(RemoteError) -> VocabularyResource {
        try check(key, as: .storefront, "storefront key")
        return VocabularyResource(kind: "storefront", name: key, path: "storefronts/\(key)", identity: [("key", key)])
    }

    private static func check(_ text: String, as format: IdentifierFormat, _ thing: String) throws(RemoteError) {
        guard format.fits(text) else {
            throw RemoteError(
                message: "invalid \(thing) \(text.quoted): expected \(format.expected)", advice: "", exitCode: .invalid)
        }
    }

    /// Returns the record in a file, whose kind and names may be omitted. Throws if it is not a record of this resource.
    func record(fromFile path: String) throws -> JSONValue {
        var value = try JSONArgument.file(path)
        guard case .object = value else {
            throw RemoteError(
                message: "expected the record of a \(kind), an object", advice: "print an existing one with 'vitrine \(kind) show'",
                exitCode: .invalid)
        }
        for (key, text) in [("kind", kind)] + identity where value[key] == nil { value[key] = .string(text) }
        for (key, text) in [("kind", kind)] + identity where value[key] != .string(text) {
            throw invalid(["/\(key): expected \(text)"])
        }
        do throws(JSONError) {
            let record = try CatalogRecord(parsing: try value.json(), limits: .ownOutput)
            return JSONValue(try JSONDocument(parsing: try record.json(), limits: .ownOutput).root)
        } catch {
            throw invalid(
                error.issues.map { issue in
                    let pointer = issue.pointer.tokens.isEmpty ? "" : "\(issue.pointer): "
                    return "\(pointer)\(issue.message)".printable(limit: 300)
                })
        }
    }

    private func invalid(_ details: [String]) -> RemoteError {
        RemoteError(message: "the record of the \(kind) is invalid", advice: "", exitCode: .invalid, details: details)
    }
}

/// A storefront, a category or a chart in one state on the server.
struct StoredRecord: Sendable {
    let record: JSONValue
    /// The time at which a storefront was closed; nil if it is open, or if this is no storefront.
    let closedAt: String?
    /// The ETag of the state, for a conditional change.
    let tag: String

    init(_ response: RemoteResponse) throws {
        guard let document = response.document else { throw AdminClient.notVitrineServer }
        record = JSONValue(document["record"] ?? document)
        closedAt = document["closedAt"]?.string
        tag = try response.condition
    }
}

extension AdminClient {
    func record(of resource: VocabularyResource) async throws -> StoredRecord { try StoredRecord(try await state(resource.path)) }

    /// Returns the state of a resource; nil if it does not exist.
    func existingRecord(of resource: VocabularyResource) async throws -> StoredRecord? {
        do { return try await record(of: resource) } catch let error as RemoteError
            where error.exitCode == .notFound && error.code?.lowercased() == "unknown\(resource.kind)"
        { return nil }
    }

    /// Returns all elements of a list.
    func elements<Content>(_ path: String, _ name: String, of type: Content.Type) async throws -> [RemoteValue<Content>] {
        var elements: [RemoteValue<Content>] = []
        var cursor: String?
        repeat {
            let page = try await page(path, name, [(name: "limit", value: "200"), (name: "cursor", value: cursor)], of: type)
            elements += page.elements
            cursor = page.next
        } while cursor != nil
        return elements
    }
}

internal import Arguments
internal import CatalogImport
internal import Feeds
internal import Items
internal import JSON
internal import Values

extension VocabularyKind {
    /// The name of the command.
    var command: String { title.replacing(" ", with: "-") }

    /// Returns the text. Throws if it cannot be the key, or the name, of a resource of this kind.
    func checked(_ text: String) throws(RemoteError) -> String {
        guard format.fits(text) else {
            throw RemoteError(
                message: "invalid \(title) \(self == .chart ? "name" : "key") \(text.quoted): expected \(format.expected)", advice: "",
                exitCode: .invalid)
        }
        return text
    }
}

extension VocabularyName {
    /// The kind and the name in sentences.
    var title: String { "\(kind.title) '\(text)'" }

    private var identity: [(key: String, value: String)] { [("kind", kind.rawValue)] + fields }

    /// Returns the record in a file as it is written, with the kind and the names that may be omitted, and in the form in which a
    /// server stores it. Throws if it is not a record of this resource.
    func record(fromFile path: String) throws -> (written: JSONValue, stored: JSONValue) {
        var value = try JSONArgument.file(path)
        guard case .object = value else {
            throw RemoteError(
                message: "expected the record of a \(kind.title), an object",
                advice: "print an existing one with 'vitrine \(kind.command) show'",
                exitCode: .invalid)
        }
        for (key, text) in identity where value[key] == nil { value[key] = .string(text) }
        for (key, text) in identity where value[key] != .string(text) {
            throw invalid(["/\(key): expected \(text)"])
        }
        do throws(JSONError) {
            let record = try VocabularyRecord(parsing: try value.json(), limits: .ownOutput)
            return (value, JSONValue(try JSONDocument(parsing: try record.json(), limits: .ownOutput).root))
        } catch {
            throw invalid(
                error.issues.map { issue in
                    let pointer = issue.pointer.tokens.isEmpty ? "" : "\(issue.pointer): "
                    return "\(pointer)\(issue.message)".printable(limit: 300)
                })
        }
    }

    private func invalid(_ details: [String]) -> RemoteError {
        RemoteError(message: "the record of the \(kind.title) is invalid", advice: "", exitCode: .invalid, details: details)
    }
}

/// A storefront, category, chart, platform or rating scheme in one state on the server.
struct StoredRecord: Sendable {
    let record: JSONValue
    /// The time at which a storefront was closed; nil if it is open, or if this is no storefront.
    let closedAt: String?
    /// The findings of the change that led to the state.
    let findings: [ReviewFinding]
    /// The ETag of the state, for a conditional change.
    let tag: String

    init(_ response: RemoteResponse) throws {
        guard let document = response.document else { throw AdminClient.notVitrineServer }
        record = JSONValue(document["record"] ?? document)
        closedAt = document["closedAt"]?.string
        findings = document["findings"]?.decodeLeniently([ReviewFinding].self) ?? []
        tag = try response.condition
    }
}

extension AdminClient {
    func record(of name: VocabularyName) async throws -> StoredRecord { try StoredRecord(try await state(name.path)) }

    /// Returns the state of a resource; nil if it does not exist.
    func existingRecord(of name: VocabularyName) async throws -> StoredRecord? {
        do { return try await record(of: name) } catch let error as RemoteError
            where error.exitCode == .notFound && error.code?.lowercased() == "unknown\(name.kind.rawValue)".lowercased()
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

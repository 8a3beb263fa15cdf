internal import Arguments
internal import JSON
internal import Values

/// An item in one state for curators, encoded as a record of a catalog file.
struct CatalogItem: Sendable, JSONEncodable {
    let id: String
    let isWithdrawn: Bool
    var record: JSONValue
    /// The ETag of the state, for a conditional change.
    let tag: String

    init(_ response: RemoteResponse) throws {
        guard let document = response.document, let id = document["id"]?.string, let record = document["record"], let tag = response.tag
        else {
            throw AdminClient.notVitrineServer
        }
        self.id = id
        self.tag = tag
        isWithdrawn = document["withdrawn"]?.bool == true
        self.record = JSONValue(record)
    }

    func encode(to json: inout JSONWriter) { record.encode(to: &json) }

    var name: String { Self.name(kind: record["kind"]?.text, slug: record["slug"]?.text) }

    static func name(kind: String?, slug: String?) -> String { "\(kind?.lowercased() ?? ""):\(slug ?? "")" }
}

extension AdminClient {
    func item(_ argument: String) async throws -> CatalogItem {
        // A reference that changes the path is not the name of an item.
        guard !["", ".", ".."].contains(argument) else { throw Self.unknown(argument) }
        do {
            return try CatalogItem(try await state("items/\(argument.percentEncoded())"))
        } catch let failure as RemoteError where failure.code == "unknownItem" {
            throw Self.unknown(argument)
        } catch let failure as RemoteError where failure.code == "ambiguousItem" {
            throw RemoteError(
                message: "several items match \(argument.quoted)", advice: failure.advice, exitCode: .conflict, details: failure.details)
        }
    }

    /// Changes an item from the state that was read. If another user saved first, `change` is called again with the new
    /// state.
    func changed(
        _ received: CatalogItem, by change: (CatalogItem) async throws -> RemoteResponse
    ) async throws -> (item: CatalogItem, isChanged: Bool) {
        try await Self.retryingOnConflict { isFirst in
            let item = isFirst ? received : try await self.item(received.id)
            let after = try CatalogItem(try await change(item))
            return (after, after.tag != item.tag)
        }
    }

    private static func unknown(_ argument: String) -> RemoteError {
        RemoteError(
            message: "unknown item \(argument.quoted)",
            advice: "list items with 'vitrine item ls --include-withdrawn', or find one by its title with 'vitrine item search'",
            exitCode: .notFound)
    }
}

struct ShownItem: JSONObjectDecodable, Sendable {
    struct Rating: JSONObjectDecodable, Sendable {
        /// The average with the precision that the server sent.
        let average: JSONValue
        let count: Int

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            average = try object.value("average")
            count = object.value("count", default: 0)
        }
    }

    let id: String
    let kind: String
    let slug: String
    let serialNumber: Int?
    let title: String
    let rating: Rating?

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        id = try object.value("id")
        kind = object.value("kind", default: "")
        slug = object.value("slug", default: "")
        serialNumber = object.optional("serialNumber")
        title = object.value("title", default: "")
        rating = object.optional("rating")
    }
}

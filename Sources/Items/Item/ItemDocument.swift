package import JSON
package import Values

/// A published document as values: a record of a catalog file without its source. The item editor reads it.
package struct ItemDocument: Sendable {
    package let id: UUID
    package let serialNumber: Int
    package let slug: String
    package let content: ItemContent

    /// Reads a document. Ignores fields that only a later release knows.
    package init(_ document: [UInt8]) throws(JSONError) {
        self = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(Self.self).value
    }
}

extension ItemDocument: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: ItemKind.self)
        let id = object.required("id", as: UUID.self)
        let serialNumber = object.required("serialNumber", as: Int.self)
        let slug = object.required("slug", as: String.self)
        content = try ItemContent(try kind(), finishing: &object)
        self.id = try id()
        self.serialNumber = try serialNumber()
        self.slug = try slug()
    }
}

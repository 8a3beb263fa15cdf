package import JSON
package import Values

/// An entry of the catalog: a TopApp or a FoodApp.
///
/// `id` identifies the item and `version` its content. If only the version differs, a list updates the item at its
/// position. A different ID is a different item.
package struct Item: Sendable, Identifiable, Equatable {
    package let id: UUID
    /// The version under which the item was published.
    package let version: Int
    package let serialNumber: Int
    package let slug: String
    package let content: ItemContent

    /// Reads a published document, whose version is stored next to it. Ignores fields that only a later release knows.
    package init(version: Int, document: [UInt8]) throws(JSONError) {
        let document = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(ItemDocument.self).value
        id = document.id
        self.version = version
        serialNumber = document.serialNumber
        slug = document.slug
        content = document.content
    }
}

/// An item without its version, which is a record of a catalog file without its source.
private struct ItemDocument: JSONDecodable {
    let id: UUID
    let serialNumber: Int
    let slug: String
    let content: ItemContent

    init(from json: JSONReader) throws(JSONReadError) {
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

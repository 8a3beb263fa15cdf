package import JSON
package import Values

/// What a feed shows: an app of the store, or an app to order food from.
///
/// `id` says which item it is and `version` what its content is: with the same id and another version, a list shows the same item anew in
/// its place; with another id it is another item.
package struct Item: Sendable, Identifiable, Equatable {
    package let id: UUID
    /// The one under which it was published.
    package let version: Int
    package let serialNumber: Int
    package let slug: String
    package let content: ItemContent

    /// Of a published document, which has its version beside it. What a later program wrote there for others is passed by.
    package init(version: Int, document: [UInt8]) throws(JSONError) {
        let document = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(ItemDocument.self).value
        id = document.id
        self.version = version
        serialNumber = document.serialNumber
        slug = document.slug
        content = document.content
    }
}

/// All of an item but its version: a record of a catalog file without its source.
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

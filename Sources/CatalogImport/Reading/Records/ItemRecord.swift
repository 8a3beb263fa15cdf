package import Items
package import JSON
package import Values

/// An item of a catalog file.
package struct ItemRecord: Sendable, Equatable {
    package let source: String
    package var id: UUID?
    package var serialNumber: Int64?
    package var slug: String?
    package let content: ItemContent

    package var kind: ItemKind { content.kind }

    /// The number of rows that its texts, categories, prices, images and times take.
    var parts: Int {
        let windows = if case .within(let storefronts) = content.availability { storefronts.reduce(0) { $0 + $1.windows.count } } else { 0 }
        let images = content.images.all.reduce(0) { $0 + $1.image.parts }
        return content.texts.count + content.categories.count + content.prices.count + content.pricePeriods.count + images + windows
    }
}

extension ImageTemplate {
    /// The number of rows: the standard image and one for each locale with an image or a text, each twice if it has a dark one.
    fileprivate var parts: Int {
        let dark = locales.values.count { $0.dark != nil } + (standard.dark == nil ? 0 : 1)
        return 1 + Set(locales.keys).union(alt.keys).count + dark
    }
}

extension ItemRecord {
    init(_ kind: ItemKind, reading object: inout JSONObjectReader) throws(JSONReadError) {
        let source = object.required("source", .line(1...200))
        let id = object.optional("id", as: ItemID.self)
        let serialNumber = object.optional("serialNumber", in: Int64(1)...9_007_199_254_740_991)
        let slug = object.optional("slug", .slug)
        content = try ItemContent(kind, finishing: &object)
        self.source = try source()
        self.id = id?.id
        self.serialNumber = serialNumber
        self.slug = slug
    }
}

extension ItemRecord: JSONEncodable {
    /// Encodes the fields in a fixed order, with sorted lists, so that equal records have the same text.
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", kind)
            json.member("source", source)
            json.member("id", id?.description)
            json.member("serialNumber", serialNumber)
            json.member("slug", slug)
            content.encodeMembers(to: &json)
        }
    }
}

private struct ItemID: JSONDecodable {
    let id: UUID

    init(from json: JSONReader) throws(JSONReadError) {
        guard let id = UUID(try json.decode(as: String.self)) else { throw json.refuse(.invalidFormat, "expected a UUID with hyphens") }
        self.id = id
    }
}

internal import Items
package import JSON

/// One record of a catalog file. It is valid by itself, but not yet checked against the catalog.
package enum CatalogRecord: Sendable, Equatable {
    case storefront(StorefrontRecord)
    case category(CategoryRecord)
    case item(ItemRecord)
    case chart(ChartRecord)

    enum Kind: String, CaseIterable, JSONDecodable {
        case storefront, category, topApp, foodApp, chart
    }
}

extension CatalogRecord: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        // Without its kind, no other field can be checked.
        guard let kind = object.required("kind", as: Kind.self).value else {
            for member in json.node.members { _ = object.member(member.key) }
            try object.finish()
            throw json.refuse(.missingKey, "the kind is missing")
        }
        switch kind {
        case .storefront: self = .storefront(try StorefrontRecord(reading: &object))
        case .category: self = .category(try CategoryRecord(reading: &object))
        case .topApp: self = .item(try ItemRecord(.topApp, reading: &object))
        case .foodApp: self = .item(try ItemRecord(.foodApp, reading: &object))
        case .chart: self = .chart(try ChartRecord(reading: &object))
        }
    }
}

extension CatalogRecord: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        switch self {
        case .storefront(let record): record.encode(to: &json)
        case .category(let record): record.encode(to: &json)
        case .item(let record): record.encode(to: &json)
        case .chart(let record): record.encode(to: &json)
        }
    }
}

package import JSON

/// The record of a resource that curators save as a whole.
package enum VocabularyRecord: Sendable, Equatable {
    /// A record of a catalog file.
    case catalog(CatalogRecord)
    case platform(PlatformRecord)
    case ratingScheme(RatingSchemeRecord)

    /// The name of the resource; nil if this is an item.
    package var name: VocabularyName? {
        switch self {
        case .catalog(.storefront(let record)): VocabularyName(.storefront, record.key)
        case .catalog(.category(let record)): VocabularyName(.category, record.key)
        case .catalog(.chart(let record)): .chart(record.name, in: record.storefront)
        case .catalog(.item): nil
        case .platform(let record): VocabularyName(.platform, record.key)
        case .ratingScheme(let record): VocabularyName(.ratingScheme, record.key)
        }
    }
}

extension VocabularyRecord: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        func object() throws(JSONReadError) -> JSONObjectReader {
            var object = try json.object()
            _ = object.member("kind")
            return object
        }
        switch json.node["kind"]?.string.flatMap({ VocabularyKind(rawValue: $0) }) {
        case .platform:
            var object = try object()
            self = .platform(try PlatformRecord(reading: &object))
        case .ratingScheme:
            var object = try object()
            self = .ratingScheme(try RatingSchemeRecord(reading: &object))
        case .storefront, .category, .chart, nil: self = .catalog(try CatalogRecord(from: json))
        }
    }
}

extension VocabularyRecord: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        switch self {
        case .catalog(let record): record.encode(to: &json)
        case .platform(let record): record.encode(to: &json)
        case .ratingScheme(let record): record.encode(to: &json)
        }
    }
}

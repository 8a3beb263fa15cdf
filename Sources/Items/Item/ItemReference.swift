package import JSON
package import Values

/// A reference that a user types for an item: a kind and slug, such as `topapp:harbor-notes`, or an ID.
package enum ItemReference: Sendable, Hashable {
    case id(UUID)
    case slug(ItemKind, String)

    /// Parses the text. Returns nil if it is neither a kind with a slug nor an ID.
    package init?(_ text: String) {
        if let id = UUID(text) {
            self = .id(id)
            return
        }
        for kind in ItemKind.allCases {
            let prefix = Self.prefix(of: kind).utf8
            guard text.utf8.starts(with: prefix) else { continue }
            let slug = String(Substring(text.utf8.dropFirst(prefix.count)))
            guard IdentifierFormat.slug.fits(slug) else { return nil }
            self = .slug(kind, slug)
            return
        }
        return nil
    }

    private static func prefix(of kind: ItemKind) -> String { "\(kind.rawValue.lowercased()):" }
}

extension ItemReference: CustomStringConvertible {
    package var description: String {
        switch self {
        case .id(let id): id.description
        case .slug(let kind, let slug): Self.prefix(of: kind) + slug
        }
    }
}

extension ItemReference: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let reference = ItemReference(try json.decode(as: String.self)) else {
            throw json.refuse("INVALID_FORMAT", "expected a kind and a slug such as topapp:harbor-notes, or an ID")
        }
        self = reference
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}

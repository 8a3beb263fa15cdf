package import Values

/// The kinds of resources that items and feeds use by name. Each case is the kind of their records.
package enum VocabularyKind: String, Sendable {
    case storefront, category, chart, platform, ratingScheme

    /// The kind in sentences.
    package var title: String { self == .ratingScheme ? "rating scheme" : rawValue }

    /// The plural in sentences.
    package var plural: String { self == .category ? "categories" : "\(title)s" }

    /// Whether catalog files have records of this kind.
    package var isInCatalogFiles: Bool { self != .platform && self != .ratingScheme }

    /// The format of its keys, or of its names in a storefront.
    package var format: IdentifierFormat { self == .storefront ? .storefront : .slug }
}

/// The name of a resource that items and feeds use, which may not exist.
package struct VocabularyName: Sendable {
    package let kind: VocabularyKind
    /// The path of the list of such resources below `/admin/v1/`.
    package let listPath: String
    /// The fields by which a record names the resource.
    package let fields: [(key: String, value: String)]

    /// The path below `/admin/v1/`.
    package var path: String { "\(listPath)/\(text)" }
    /// The name in its list.
    package var text: String { fields.last?.value ?? "" }
    /// The path of the resources of which one is edited at a time: all platforms, because they run each other.
    package var turn: String { kind == .platform ? listPath : path }

    private init(_ kind: VocabularyKind, in owner: String = "", _ fields: [(key: String, value: String)]) {
        self.kind = kind
        self.fields = fields
        listPath = owner + kind.plural.replacing(" ", with: "-")
    }

    package init(_ kind: VocabularyKind, _ key: String) { self.init(kind, [("key", key)]) }

    package static func chart(_ name: String, in storefront: String) -> VocabularyName {
        VocabularyName(.chart, in: "storefronts/\(storefront)/", [("storefront", storefront), ("name", name)])
    }
}

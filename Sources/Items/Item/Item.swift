package import JSON
package import Values

/// An entry of the catalog: a TopApp or a FoodApp.
///
/// `id` identifies the item and `version` its content. If only the version differs, a list updates the item at its
/// position. A different ID is a different item.
///
/// An item is its published document, with the facts that decide where it is shown. A rendering copies from the document, so
/// that the texts of other locales and the prices of other storefronts cost nothing.
package struct Item: Sendable, Identifiable {
    package let id: UUID
    /// The version under which the item was published.
    package let version: Int
    package let kind: ItemKind
    package let availability: Availability
    /// Whether it has an icon. Otherwise its artwork is generated from its ID.
    package let hasIcon: Bool
    private let content: DeferredDocument

    /// The published document, which has the form of a catalog record. It is empty if it cannot be parsed.
    package var document: JSONNode { parsed.document.root }

    /// The document for a rendering, which fails if the document cannot be parsed.
    var parsed: DeferredDocument.Parsed { content.parsed }

    /// Reads a published document, whose version is stored next to it. Ignores fields that only a later release knows.
    ///
    /// Throws if the text cannot be parsed. But only a rendering parses the objects inside fields, so an object with the same key
    /// twice fails then.
    package init(version: Int, document: [UInt8]) throws(JSONError) {
        if let facts = PublishedFacts(outlining: document) {
            self.init(version, facts, DeferredDocument(document))
        } else {
            let document = try JSONDocument(parsing: document, limits: .published)
            self.init(version, try document.decodeLeniently(PublishedFacts.self).value, DeferredDocument(document))
        }
    }

    /// Reads a published document that is rendered next, so that an outline of its text is not needed. Throws if the text
    /// cannot be parsed.
    package init(version: Int, parsing document: [UInt8]) throws(JSONError) {
        let document = try JSONDocument(parsing: document, limits: .published)
        let content = DeferredDocument(document)
        if let facts = PublishedFacts(finding: content.parsed.fields) {
            self.init(version, facts, content)
        } else {
            self.init(version, try document.decodeLeniently(PublishedFacts.self).value, content)
        }
    }

    private init(_ version: Int, _ facts: PublishedFacts, _ content: DeferredDocument) {
        id = facts.id
        self.version = version
        kind = facts.kind
        availability = facts.availability
        hasIcon = facts.hasIcon
        self.content = content
    }

    package var slug: String { document["slug"]?.string ?? "" }
}

extension Item: Equatable {
    package static func == (a: Item, b: Item) -> Bool {
        a.version == b.version && a.content.source == b.content.source
    }
}

/// The facts of a published document, and the check that a rendering finds every required field.
///
/// Fields are read in the order in which the database writes them.
struct PublishedFacts: Equatable {
    let id: UUID
    let kind: ItemKind
    let availability: Availability
    let hasIcon: Bool
}

extension PublishedFacts: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: ItemKind.self)
        let id = object.required("id", as: UUID.self)
        _ = object.required("serialNumber", as: Int.self)
        _ = object.required("slug", as: AnyText.self)
        _ = object.required("title", as: AnyTexts.self)
        hasIcon = object.member("image").map { ImageTemplate.Size(of: $0.node) != nil } ?? false
        _ = object.required("categories", as: AnyList.self)
        // Without this field the item would be available everywhere.
        availability = object.essential("availability", default: Availability.everywhere)
        switch kind.value {
        case .topApp:
            for key in ["bundleId", "developer", "appVersion"] { _ = object.required(key, as: AnyText.self) }
            _ = object.required("sizeBytes", as: Int.self)
            _ = object.required("platforms", as: AnyPlatforms.self)
            // `ageRating` is the label of the default scheme alone.
            if object.optional("ageRatings", as: AnyLabels.self) == nil { _ = object.required("ageRating", as: AnyText.self) }
            _ = object.required("releaseDate", as: AnyText.self)
        case .foodApp:
            _ = object.required("brand", as: AnyText.self)
            _ = object.required("cuisines", as: AnyList.self)
            _ = object.required("deliveryMinutes", as: DeliveryMinutes.self)
            _ = object.required("priceBand", as: Int.self)
        case nil: break
        }
        try object.finish()
        self.kind = try kind()
        self.id = try id()
    }
}

/// A string, which is not read.
private struct AnyText: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .string else { throw json.mismatch("a string") }
    }
}

/// A list of strings.
private struct AnyList: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        guard json.node.isListOfTexts else { throw json.mismatch("a list of strings") }
    }
}

/// A text, or an object from locales to texts. It has at least one text.
private struct AnyTexts: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        guard json.node.hasText else { throw json.refuse(.invalidCount, "expected a text in at least one locale") }
    }
}

/// The platforms of a TopApp: an object with the version of each platform, or a list of keys.
private struct AnyPlatforms: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        if json.node.isListOfTexts { return }
        guard json.node.isObject(of: .object) else { throw json.mismatch("platforms") }
    }
}

/// The labels of a TopApp by the keys of rating schemes. It has at least one label.
private struct AnyLabels: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        guard json.node.isObject(of: .string) else {
            throw json.mismatch("an object with a label for each rating scheme")
        }
    }
}

extension JSONNode {
    /// Whether the value is a list of strings. It may be empty.
    var isListOfTexts: Bool { kind == .array && holdsOnly(.string) }

    /// Whether the value is an object with at least one member, and all of its values have the kind.
    func isObject(of kind: JSONKind) -> Bool { self.kind == .object && count > 0 && holdsOnly(kind) }
}

internal import Items
package import JSON
internal import Layout
internal import Resolve
internal import Values

/// The JSON Schema of feed documents, which uses the same names and limits as reading. It includes the schema of
/// layouts.
///
/// Constraints that a schema cannot express, such as a relation of two numbers, are in the descriptions.
package enum FeedSchema {
    package static var document: JSONValue {
        let sections = JSONValue.list(of: .reference("section"), ("maxItems", .integer(FeedDocument.maxSections)))
        let feed = JSONValue.closed(
            [
                (FeedDocument.formatKey, .constant(.integer(FeedDocument.format))), ("feed", .identifier(.key)),
                ("kind", .keywords(of: FeedDocument.Kind.self)), ("title", .reference("localizedText")), ("theme", theme),
                ("configuration", .reference("configuration")), ("sections", sections),
            ], required: [FeedDocument.formatKey, "feed", "title", "sections"])
        return .members(
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .string("https://vitrine.invalid/schemas/feed.json")),
            ("title", .string("Feed")),
            (
                "description",
                .string(
                    """
                    The document of a feed. The server also rejects what a schema cannot express: an integer with a decimal point or an \
                    exponent, a discount that is not in whole percent, two sections with the same key, a slot that is pinned twice or is not below the size, an item that is \
                    pinned twice or is both pinned and excluded, two cards of a section with the same key, a body in a feed that is not a \
                    story, a size of an image above its largest one, an image of several sizes without {w} and {h}, minItems above the \
                    size, a cell style for a slot that the layout does not have, inSection with a section that is not above, a rule of more than \(Rule.maxConditions) conditions, a day \
                    that does not exist, and a range or a period that ends before it starts.
                    """)
            ),
            ("$ref", .string("#/$defs/feed")),
            ("$defs", .object(definitions(of: feed).map { .init(key: $0.name, value: $0.schema) })))
    }

    private static func definitions(of feed: JSONValue) -> [JSONValue.Property] {
        [("feed", feed), ("section", section)] + parts + pins + rules + targets + LayoutSchema.definitions
    }

    private static var section: JSONValue {
        let properties: [JSONValue.Property] = [
            ("key", .identifier(.key)), ("title", .reference("localizedText")), ("subtitle", .reference("localizedText")),
            ("header", header), ("layout", .reference("form")), ("variants", .reference("variants")),
            ("alternates", .reference("alternates")), ("cell", .reference("cellStyle")), ("cells", .reference("cellStyles")),
            ("size", .integer(1...FeedSection.maxSize)),
            ("pins", .list(of: .reference("pin"), ("maxItems", .integer(FeedSection.maxSize)))),
            ("exclude", .distinct(.reference("itemReference"), 0...FeedSection.maxItems)),
            ("rule", .reference("rule1")), ("sort", .reference("sort")), ("minItems", .integer(0...FeedSection.maxSize)),
            ("maxDrop", maxDrop), ("during", during), ("eligibility", .keywords(FeedSection.Eligibility.allCases.map(\.rawValue))),
            ("target", .reference("target")),
            ("badges", .distinct(.reference("badge"), 0...BadgeRule.maxRules)), ("seeAll", .reference("seeAll")),
            ("continues", .bool), ("group", .keywords(["initial"])), ("skeleton", .integer(1...FeedSection.maxSkeletons)),
            ("tracking", .identifier(.tracking)),
        ]
        let pinned = JSONValue.members(("required", ["pins"]), ("properties", .members(("pins", .members(("minItems", 1))))))
        let forSome = JSONValue.any(of: .members(("required", ["card"])), .members(("required", ["target"])))
        let grouped = JSONValue.members(
            ("required", ["sort"]),
            ("properties", .members(("sort", .constant("title")), ("pins", .members(("items", .members(("not", forSome))))))))
        return .closed(
            properties, required: ["key", "layout"],
            (
                "allOf",
                .array([
                    .any(of: .members(("required", ["cell"])), .members(("required", ["cells"]))),
                    .any(of: .members(("required", ["rule"])), pinned),
                ])
            ),
            ("dependentRequired", .members(("sort", ["rule"]))), ("dependentSchemas", .members(("group", grouped))))
    }

    private static var header: JSONValue {
        .any(of: .constant(.bool(false)), .closed([("height", .reference("dimension")), ("pinned", .bool)]))
    }

    private static var during: JSONValue {
        .closed([("from", .reference("plannedTime")), ("until", .reference("plannedTime"))], ("minProperties", 1))
    }

    private static var theme: JSONValue {
        .members(
            ("type", .string("object")), ("propertyNames", .pattern("^[a-z][A-Za-z0-9]{0,63}$")),
            ("additionalProperties", .closed([("light", .color), ("dark", .color)], required: ["light"])))
    }

    private static var maxDrop: JSONValue {
        .any(
            of: .integer(0...FeedSection.maxItems),
            .members(("type", "number"), ("exclusiveMinimum", 0), ("exclusiveMaximum", 1)))
    }
}

extension FeedSchema {
    static var parts: [JSONValue.Property] {
        let text = JSONValue.line(LocalizedText.Form.line.maxCharacters)
        let locale = JSONValue.identifier(.locale)
        let kinds = ItemKind.allCases.map { $0.rawValue.lowercased() }.joined(separator: "|")
        let day = "(19[7-9][0-9]|2[01][0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        let minute = "([01][0-9]|2[0-3]):[0-5][0-9]"
        let id = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
        let badge = [("badge", JSONValue.identifier(.slug))]
        return [
            ("locale", locale), ("localizedText", .map(from: .reference("locale"), to: text)),
            ("itemReference", .pattern("^((\(kinds)):[a-z0-9-]{1,80}|\(id))$")),
            ("day", .pattern("^\(day)$")),
            (
                "plannedTime",
                .pattern(
                    "^(\(day)T\(minute)|\(day)[Tt]\(minute):[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))$")
            ),
            (
                "badge",
                .any(
                    of: .closed(badge + [("when", .reference("rule1"))], required: ["badge", "when"]),
                    .closed(
                        badge + [("on", .distinct(.reference("itemReference"), 1...FeedSection.maxItems))], required: ["badge", "on"]))
            ),
            (
                "seeAll",
                .closed(
                    [
                        ("title", .reference("localizedText")), ("layout", .reference("form")), ("variants", .reference("variants")),
                        ("alternates", .reference("alternates")), ("cell", .reference("cellStyle")), ("cells", .reference("cellStyles")),
                        ("size", .integer(1...FeedSection.maxItems)), ("rule", .reference("rule1")), ("sort", .reference("sort")),
                        ("exclude", .distinct(.reference("itemReference"), 0...FeedSection.maxItems)), ("group", .keywords(["initial"])),
                    ], required: ["title"])
            ),
            ("sort", sort),
        ]
    }

    private static var sort: JSONValue {
        let rotation = JSONValue.closed(
            [("seed", .identifier(.name)), ("every", .pattern("^P([1-9][0-9]{0,2}[WD]|T[1-9][0-9]{0,2}[HM])$"))],
            required: ["seed", "every"])
        return .any(of: .keywords(Sort.keywords.map(\.word)), .choice([("chart", .identifier(.slug)), ("rotate", rotation)]))
    }

    /// The definitions of rules, one for each depth, because the nesting of conditions is limited.
    static var rules: [JSONValue.Property] {
        let discount = JSONValue.members(("type", "number"), ("minimum", .number(0.01)), ("maximum", .integer(1)))
        let plain: [JSONValue.Property] = [
            ("kind", .keywords(ItemKind.allCases.map(\.rawValue))), ("category", .oneOrMore(.identifier(.slug))),
            ("cuisine", .oneOrMore(.identifier(.slug))), ("diet", .oneOrMore(.identifier(.slug))),
            ("tag", .oneOrMore(.identifier(.slug))), ("developer", .oneOrMore(.line(Rule.maxNameCharacters))),
            ("deliveryMinutes", .closed([("atMost", .integer(0...Rule.maxDeliveryMinutes))], required: ["atMost"])),
            ("platform", .oneOrMore(.identifier(.slug))), ("runsOn", .oneOrMore(platformVersion)),
            ("ageRating", .closed([("atMost", .integer(0...Rule.maxAge))], required: ["atMost"])),
            ("price", .reference("price")),
            ("discounted", .any(of: .constant(.bool(true)), .closed([("atLeast", discount)], required: ["atLeast"]))),
            (
                "rating",
                .closed([("atLeast", .number(0...5)), ("count", .integer(0...Rule.maxRatings))], required: ["atLeast"])
            ),
            ("releasedWithin", .closed([("days", .integer(1...Rule.maxDays))], required: ["days"])),
            ("released", .closed([("from", .reference("day")), ("before", .reference("day"))], ("minProperties", 1))),
            ("inSection", .oneOrMore(.identifier(.key), FeedDocument.maxSections)),
        ]
        let rules = (1...Rule.greatestDepth).map { depth -> JSONValue.Property in
            guard depth < Rule.greatestDepth else { return ("rule\(depth)", .choice(plain)) }
            let inner = JSONValue.reference("rule\(depth + 1)")
            let several = JSONValue.list(of: inner, ("minItems", 1))
            return ("rule\(depth)", .choice([("all", several), ("any", several), ("not", inner)] + plain))
        }
        let price = JSONValue.any(
            of: .keywords(PriceCondition.keywords),
            .choice([
                ("band", .oneOrMore(.integer(1...4), 4)),
                ("atMost", .map(from: .identifier(.currency), to: .integer(0...PriceCondition.maxMinor))),
            ]))
        return [("price", price)] + rules
    }

    /// An object with one platform and its version.
    private static var platformVersion: JSONValue {
        .members(
            ("type", "object"), ("propertyNames", .identifier(.slug)),
            ("additionalProperties", .pattern(#"^[0-9]{1,9}(\.[0-9]{1,9}){0,3}$"#)), ("minProperties", 1), ("maxProperties", 1))
    }

    static var targets: [JSONValue.Property] {
        let number = #"[0-9]{1,9}(\.[0-9]{1,9}){0,3}"#
        func several(_ element: JSONValue) -> JSONValue { .distinct(element, 1...JSONReader.maxIdentifiers) }
        let experiments = JSONValue.members(
            ("type", .string("object")), ("minProperties", 1), ("maxProperties", .integer(JSONReader.maxIdentifiers)),
            ("propertyNames", .identifier(.name)), ("additionalProperties", several(.identifier(.name))))
        return [
            ("versions", .pattern("^(=\(number)|>=\(number)|<\(number)|>=\(number) <\(number))$")),
            (
                "target",
                .closed(
                    [
                        ("storefronts", several(.identifier(.storefront))), ("locales", several(.reference("locale"))),
                        ("platforms", several(.identifier(.slug))), ("appVersion", .reference("versions")), ("os", .reference("versions")),
                        ("tags", several(.identifier(.name))), ("experiment", experiments),
                    ], ("minProperties", 1))
            ),
        ]
    }
}

extension JSONValue {
    static func identifier(_ format: IdentifierFormat) -> JSONValue { pattern(format.pattern) }

    static var color: JSONValue { pattern("^#[0-9A-Fa-f]{6}$") }

    /// Returns the schema of a line of text that is not blank, without control characters.
    static func line(_ maximum: Int) -> JSONValue {
        text(maximum, #"^ *[^ \x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"#)
    }

    static func text(_ maximum: Int, _ pattern: String) -> JSONValue {
        members(("type", "string"), ("maxLength", .integer(maximum)), ("pattern", .string(pattern)))
    }

    static func distinct(_ element: JSONValue, _ count: ClosedRange<Int>) -> JSONValue {
        list(of: element, ("minItems", .integer(count.lowerBound)), ("maxItems", .integer(count.upperBound)), ("uniqueItems", .bool(true)))
    }

    static func oneOrMore(_ element: JSONValue, _ maximum: Int = JSONReader.maxIdentifiers) -> JSONValue {
        any(of: element, distinct(element, 1...maximum))
    }
}

package import JSON
internal import Layout

/// The JSON Schema of feed documents, made from the same words and bounds that reading keeps to; the schema of layouts is within it.
///
/// What it cannot say, such as how two numbers relate, its description does.
package enum FeedSchema {
    package static var document: JSONValue {
        let sections = JSONValue.list(of: .reference("section"), ("maxItems", .integer(FeedDocument.mostSections)))
        let feed = JSONValue.closed(
            [
                ("feed", .word(.key)), ("title", .reference("localizedText")), ("configuration", .reference("configuration")),
                ("sections", sections),
            ], required: ["feed", "title", "sections"])
        return .members(
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .string("https://vitrine.invalid/schemas/feed.json")),
            ("title", .string("Feed")),
            (
                "description",
                .string(
                    """
                    A feed as a curator writes it. Reading refuses a little more: an integer with a point or an exponent, two sections of one \
                    key, a slot that is pinned twice or not below the limit, an item that is pinned twice or pinned and excluded, minItems \
                    above the limit, a cell style for a slot that the layout lacks, inSection with a section that does not stand above, a \
                    rule of more than \(Rule.mostConditions) conditions, a day that no calendar has, and a range that ends before it begins.
                    """)
            ),
            ("$ref", .string("#/$defs/feed")),
            ("$defs", .object(definitions(of: feed).map { .init(key: $0.name, value: $0.schema) })))
    }

    private static func definitions(of feed: JSONValue) -> [JSONValue.Property] {
        [("feed", feed), ("section", section)] + parts + rules + targets + LayoutSchema.definitions
    }

    private static var section: JSONValue {
        let pin = JSONValue.closed(
            [("slot", .integer(0...FeedSection.mostItems - 1)), ("item", .reference("itemReference"))], required: ["slot", "item"])
        let properties: [JSONValue.Property] = [
            ("key", .word(.key)), ("title", .reference("localizedText")), ("subtitle", .reference("localizedText")),
            ("layout", .reference("form")), ("variants", .reference("variants")), ("alternates", .reference("alternates")),
            ("cell", .word(.name)),
            ("cells", .map(from: .reference("name"), to: .word(.name))),
            ("limit", .integer(1...FeedSection.mostItems)),
            ("pins", .list(of: pin, ("maxItems", .integer(FeedSection.mostItems)))),
            ("exclude", .distinct(.reference("itemReference"), 0...FeedSection.mostItems)),
            ("rule", .reference("rule1")), ("sort", .reference("sort")), ("minItems", .integer(0...FeedSection.mostItems)),
            ("largestDrop", largestDrop), ("target", .reference("target")),
            ("badges", .distinct(.reference("badge"), 0...BadgeRule.most)), ("seeAll", .reference("seeAll")),
            ("group", .words(["initial"])), ("skeleton", .integer(1...FeedSection.mostSkeletons)), ("tracking", .word(.tracking)),
        ]
        let pinned = JSONValue.members(("required", ["pins"]), ("properties", .members(("pins", .members(("minItems", 1))))))
        let byTitle = JSONValue.members(("required", ["sort"]), ("properties", .members(("sort", .constant("title")))))
        return .closed(
            properties, required: ["key", "layout"],
            ("oneOf", .array([.members(("required", ["cell"])), .members(("required", ["cells"]))])),
            ("anyOf", .array([.members(("required", ["rule"])), pinned])),
            ("dependentRequired", .members(("sort", ["rule"]))), ("dependentSchemas", .members(("group", byTitle))))
    }

    private static var largestDrop: JSONValue {
        .any(
            of: .integer(0...FeedSection.mostItems),
            .members(("type", "number"), ("exclusiveMinimum", 0), ("exclusiveMaximum", 1)))
    }
}

package import JSON

/// The JSON Schema of the layouts that curators write. It uses the same keywords and limits as the readers.
///
/// Constraints that a schema cannot express, such as relations between numbers, are in its descriptions.
package enum LayoutSchema {
    package static var document: JSONValue {
        .members(
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .string("https://vitrine.invalid/schemas/layout.json")),
            ("title", .string("Layout")),
            (
                "description",
                .string(
                    """
                    The layout of a section: a short form, or the full tree. The server also rejects what a schema cannot express: an \
                    integer with a decimal point or an exponent, a second alternate that is "active", a min above its max, a phase that is \
                    not below its every, and a fallback that no client needs.
                    """)
            ),
            ("$ref", .string("#/$defs/choice")),
            ("$defs", .object(definitions.map { .init(key: $0.name, value: $0.schema) })))
    }

    /// The definitions for schemas of documents that contain layouts: `form`, `variants`, `alternates`, `configuration`
    /// and their parts.
    package static var definitions: [JSONValue.Property] { measures + items + sections + forms }

    private static var forms: [JSONValue.Property] {
        let tree = JSONValue.reference("group1")
        let cells: [JSONValue.Property] = [("cell", .reference("cellStyle")), ("cells", .reference("cellStyles"))]
        let variant = JSONValue.closed(
            [("when", .reference("condition")), ("layout", .reference("form"))] + cells, required: ["when", "layout"])
        let alternate = JSONValue.any(
            of: .constant("active"), .closed([("layout", .reference("form"))] + cells, required: ["layout"]))
        let beside: [JSONValue.Property] = [("variants", .reference("variants")), ("alternates", .reference("alternates"))]
        let nested = JSONValue.any(of: .keywords(Preset.nestedGroups.map(\.name)), tree)
        let short: [JSONValue.Property] = [
            ("grid", .reference("grid")), ("carousel", .reference("carousel")), ("nestedGroup", nested),
            ("compositional", .reference("full")),
        ]
        func either(_ more: [JSONValue.Property]) -> JSONValue {
            let forms = short.map { JSONValue.closed([$0] + more, required: [$0.name]) }
            let plain = Preset.all.filter(\.parameters.isEmpty).map(\.name)
            let presets =
                [JSONValue.closed([("preset", .keywords(plain))] + more, required: ["preset"])]
                + Preset.all.filter { !$0.parameters.isEmpty }.map { preset in
                    JSONValue.closed([("preset", .constant(.string(preset.name)))] + preset.properties + more, required: ["preset"])
                }
            return .members(("anyOf", .array(forms + presets + [full(more)])))
        }
        return [
            ("choice", either(beside)), ("form", either([])), ("full", full([])), ("variants", .list(of: variant)),
            ("alternates", .members(("type", "object"), ("additionalProperties", alternate))), ("configuration", configuration),
            ("cellStyle", .pattern(JSONReader.namePattern)),
            ("cellStyles", .map(from: .reference("name"), to: .reference("cellStyle"))),
            (
                "condition",
                .closed(
                    [
                        ("horizontalSizeClass", .keywords(of: LayoutEnvironment.SizeClass.self)),
                        ("verticalSizeClass", .keywords(of: LayoutEnvironment.SizeClass.self)), ("minWidth", .reference("magnitude")),
                        ("maxWidth", .reference("magnitude")), ("minHeight", .reference("magnitude")),
                        ("maxHeight", .reference("magnitude")), ("minTextSize", .reference("textSize")),
                        ("maxTextSize", .reference("textSize")),
                    ], ("minProperties", .integer(1)))
            ),
            ("textSize", .keywords(of: TextSize.self)),
            (
                "grid",
                .closed([
                    ("columns", tracks), ("regularColumns", tracks), ("aspect", .pair(.integer(1...10_000), .integer(1...10_000))),
                    ("spacing", .any(of: .constant(0), .number(2...Magnitude.greatest))),
                ])
            ),
            (
                "carousel",
                .closed([
                    ("rows", tracks),
                    ("width", .any(of: positive, .pair(.integer(1...Ratio.greatestTerm), .integer(1...Ratio.greatestTerm)))),
                    ("height", .number(1...10_000)),
                    ("paging", .keywords(ScrollingBehavior.allCases.filter { $0 != .none }.map(\.rawValue))),
                    ("spacing", .reference("magnitude")),
                ])
            ),
        ]
    }

    private static var configuration: JSONValue {
        .closed([
            ("scrollDirection", .keywords(of: Axis.self)), ("interSectionSpacing", .reference("magnitude")),
            ("contentInsetsReference", .keywords(of: InsetsReference.self)),
            ("boundarySupplementaryItems", .list(of: .reference("header"))),
        ])
    }

    private static var tracks: JSONValue { .integer(1...Family.maxTracks) }

    private static var positive: JSONValue {
        .members(("type", "number"), ("exclusiveMinimum", 0), ("maximum", .number(Magnitude.greatest)))
    }

    private static func full(_ more: [JSONValue.Property]) -> JSONValue {
        let properties: [JSONValue.Property] = [
            ("kind", .keywords(of: Family.Kind.self)), ("columns", tracks), ("rows", tracks),
            ("paging", .keywords(of: ScrollingBehavior.self)),
        ]
        let needs: [JSONValue.Property] = [
            ("requires", .list(of: .keywords(Capability.all.map(\.name)))),
            ("fallback", .members(("type", "string"), ("pattern", "^[0-9a-f]{32}$"))),
        ]
        return .closed(
            properties + section + needs + more,
            ("oneOf", .array([.members(("required", ["group"])), .members(("required", ["list"]))])),
            ("dependentRequired", .members(("columns", ["kind"]), ("rows", ["kind"]), ("paging", ["kind"]))))
    }
}

extension Preset {
    fileprivate var properties: [JSONValue.Property] { parameters.map { ($0.name, .integer($0.range)) } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    package init(stringLiteral value: String) { self = .string(value) }

    package init(integerLiteral value: Int) { self = .integer(value) }

    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

internal import Items
internal import JSON
internal import Layout

extension FeedSchema {
    /// Texts, references and what else is small.
    static var parts: [JSONValue.Property] {
        let text = JSONValue.members(
            ("type", "string"), ("maxLength", .integer(LocalizedText.mostCharacters)),
            ("pattern", #"^ *[^ \x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"#))
        let locale = JSONValue.pattern("^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$")
        let kinds = ItemKind.allCases.map { $0.rawValue.lowercased() }.joined(separator: "|")
        let id = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
        let badge = [("badge", JSONValue.word(.slug))]
        return [
            ("locale", locale), ("localizedText", .map(from: .reference("locale"), to: text)),
            ("itemReference", .pattern("^((\(kinds)):[a-z0-9-]{1,80}|\(id))$")),
            ("day", .pattern("^(19[7-9][0-9]|2[01][0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")),
            (
                "badge",
                .any(
                    of: .closed(badge + [("when", .reference("rule1"))], required: ["badge", "when"]),
                    .closed(
                        badge + [("on", .distinct(.reference("itemReference"), 1...FeedSection.mostItems))], required: ["badge", "on"]))
            ),
            (
                "seeAll",
                .closed([("title", .reference("localizedText")), ("layout", .reference("form"))], required: ["title"])
            ),
            ("sort", sort),
        ]
    }

    private static var sort: JSONValue {
        let rotation = JSONValue.closed(
            [("seed", .word(.name)), ("every", .pattern("^P([1-9][0-9]{0,2}[WD]|T[1-9][0-9]{0,2}[HM])$"))], required: ["seed", "every"])
        return .any(of: .words(Sort.words.map(\.word)), .choice([("chart", .word(.slug)), ("rotate", rotation)]))
    }

    /// A definition for each depth, because that is how deep conditions may hold each other.
    static var rules: [JSONValue.Property] {
        let plain: [JSONValue.Property] = [
            ("kind", .words(ItemKind.allCases.map(\.rawValue))), ("category", .oneOrMore(.word(.slug))),
            ("cuisine", .oneOrMore(.word(.slug))), ("price", .reference("price")),
            (
                "rating",
                .closed([("atLeast", .number(0...5)), ("count", .integer(0...Rule.mostRatings))], required: ["atLeast"])
            ),
            ("releasedWithin", .closed([("days", .integer(1...Rule.mostDays))], required: ["days"])),
            ("released", .closed([("from", .reference("day")), ("before", .reference("day"))], ("minProperties", 1))),
            ("inSection", .oneOrMore(.word(.key), FeedDocument.mostSections)),
        ]
        let rules = (1...Rule.greatestDepth).map { depth -> JSONValue.Property in
            guard depth < Rule.greatestDepth else { return ("rule\(depth)", .choice(plain)) }
            let inner = JSONValue.reference("rule\(depth + 1)")
            let several = JSONValue.list(of: inner, ("minItems", 1))
            return ("rule\(depth)", .choice([("all", several), ("any", several), ("not", inner)] + plain))
        }
        let price = JSONValue.any(
            of: .words(PriceCondition.words),
            .choice([
                ("band", .oneOrMore(.integer(1...4), 4)),
                ("atMost", .map(from: .word(.currency), to: .integer(0...PriceCondition.mostMinor))),
            ]))
        return [("price", price)] + rules
    }

    static var targets: [JSONValue.Property] {
        let number = #"[0-9]{1,9}(\.[0-9]{1,9}){0,3}"#
        func several(_ element: JSONValue) -> JSONValue { .distinct(element, 1...JSONReader.mostWords) }
        let bucket = JSONValue.closed(
            [("experiment", .word(.name)), ("from", .integer(0...Bucket.places - 1)), ("to", .integer(1...Bucket.places))],
            required: ["experiment", "from", "to"])
        return [
            ("versions", .pattern("^(=\(number)|>=\(number)|<\(number)|>=\(number) <\(number))$")),
            (
                "target",
                .closed(
                    [
                        ("storefronts", several(.word(.storefront))), ("locales", several(.reference("locale"))),
                        ("platforms", several(.word(.slug))), ("appVersion", .reference("versions")), ("os", .reference("versions")),
                        ("tags", several(.word(.name))), ("bucket", bucket),
                    ], ("minProperties", 1))
            ),
        ]
    }
}

extension JSONValue {
    static func pattern(_ pattern: String) -> JSONValue { members(("type", "string"), ("pattern", .string(pattern))) }

    static func word(_ word: IdentifierFormat) -> JSONValue { pattern(word.pattern) }

    /// An object whose keys are data; never empty.
    static func map(from key: JSONValue, to value: JSONValue) -> JSONValue {
        members(("type", "object"), ("propertyNames", key), ("additionalProperties", value), ("minProperties", 1))
    }

    static func distinct(_ element: JSONValue, _ count: ClosedRange<Int>) -> JSONValue {
        list(of: element, ("minItems", .integer(count.lowerBound)), ("maxItems", .integer(count.upperBound)), ("uniqueItems", .bool(true)))
    }

    static func oneOrMore(_ element: JSONValue, _ most: Int = JSONReader.mostWords) -> JSONValue {
        any(of: element, distinct(element, 1...most))
    }
}

package import Items
package import JSON
package import Layout

/// The "See All" list of a section.
package struct SeeAll: Sendable, Hashable {
    package static let standardSize = 200

    package let title: LocalizedText
    package let layout: LayoutChoice
    /// The cells of the list, or nil if it has those of the section.
    package let cells: CellStyles?
    /// The maximum number of items of the list.
    package let size: Int
    /// The rule of the list, or nil if it has that of the section.
    package let rule: Rule?
    /// The order of the list, or nil if it has that of the section.
    package let sort: Sort?
    /// The items that the list excludes in addition to those that the section excludes.
    package let exclusions: [ItemReference]
    package let grouping: FeedSection.Grouping
}

extension SeeAll: JSONObjectEncodable {
    /// The section of a list, as far as the list depends on it.
    struct Shelf {
        /// The sort of its items, or nil if it is invalid.
        let sort: Sort?
        let hasRule: Bool
        let continues: Bool
    }

    init(_ json: JSONReader, of shelf: Shelf) throws(JSONReadError) {
        var object = try json.object()
        let title = object.required("title", as: LocalizedText.self)
        let layout = Result { () throws(JSONReadError) in try LayoutChoice(&object, default: .list(ListLayout())) }
        cells = CellStyles.read(&object, slots: layout.value?.slots)
        size = object.value("size", default: Self.standardSize, .in(1...FeedSection.maxItems))
        rule = object.optional("rule") { rule throws(JSONReadError) in try Self.rule(rule) }
        sort = object.optional("sort") { sort throws(JSONReadError) in try Self.sort(sort) }
        exclusions =
            object.optional("exclude") { list throws(JSONReadError) in
                try list.distinct(0...FeedSection.maxItems) { item throws(JSONReadError) in try item.decode(as: ItemReference.self) }
            } ?? []
        grouping = object.value("group", default: .none)
        if shelf.continues {
            for key in ["rule", "sort", "group"] where object.has(key) {
                object.report(
                    .invalidChoice, at: key, "the list uses the \(key) of its section, because the section has \"continues\" or \"group\"",
                    hint: "remove this field, or remove \"continues\" and \"group\" from the section")
            }
        } else if sort != nil, !shelf.hasRule, !object.has("rule") {
            object.report(.missingKey, at: "sort", "a sort needs a rule")
        } else if grouping == .initial, let order = sort ?? (object.has("sort") ? nil : shelf.sort), order != .title {
            object.report(
                .invalidChoice, at: "group", "items that are grouped by initial must be sorted by title", hint: "write \"sort\": \"title\"")
        }
        try object.finish()
        self.title = try title()
        self.layout = try layout.get()
    }

    private static func rule(_ json: JSONReader) throws(JSONReadError) -> Rule {
        let rule = try Rule(json, below: nil)
        guard rule.sections.isEmpty else {
            throw json.refuse(
                .invalidChoice, "the rule of a list cannot refer to other sections", hint: "remove the condition \"inSection\"")
        }
        return rule
    }

    private static func sort(_ json: JSONReader) throws(JSONReadError) -> Sort {
        let sort = try json.decode(as: Sort.self)
        guard !sort.isRotation else {
            throw json.refuse(.invalidChoice, "a list cannot rotate, because clients load it in several parts")
        }
        return sort
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title", title)
        layout.encodeMembers(to: &json, default: .list(ListLayout()))
        cells?.encodeMembers(to: &json)
        json.member("size", size, unless: Self.standardSize)
        json.member("rule", rule)
        json.member("sort", sort)
        json.member("exclude", exclusions, unless: [])
        json.member("group", grouping, unless: .none)
    }
}

extension Result {
    /// The value, or nil after a failure.
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}

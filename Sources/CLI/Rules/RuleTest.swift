internal import Arguments
internal import Feeds
internal import JSON
internal import Values

/// A document with one section that has only the tested rule, so that the section shows all matching items.
struct RuleTest: Sendable {
    /// The maximum number of items of a section.
    static let maxItems = FeedSection.maxItems
    private static let ownKey = "rule-on-trial"

    let document: JSONValue
    let section: String

    /// Creates a test of a section's rule, or of another rule for that section. Without a section, the rule is tested
    /// below all sections. Sections above stay, because a rule may refer to them.
    init(_ draft: FeedDraft, section key: String?, rule: JSONValue?, sort: JSONValue?) throws {
        var sections = draft.sections
        var section: JSONValue
        if let key {
            section = try draft.section(key)
            sections = Array(sections.prefix { $0["key"] != .string(key) })
        } else {
            section = .object([
                .init(key: "key", value: .string(Self.ownKey)),
                .init(key: "layout", value: .object([.init(key: "list", value: .object([]))])), .init(key: "cell", value: .string("item")),
            ])
        }
        if let rule { section["rule"] = rule }
        if let sort { section["sort"] = sort }
        guard section["rule"] != nil else {
            throw RemoteError(
                message: "section '\(key ?? "")' of feed '\(draft.feed)' has no rule",
                advice: "set a rule with 'vitrine rule set', or test one with '--rule'",
                exitCode: .notFound)
        }
        for member in ["pins", "exclude", "maxDrop", "during", "target", "badges"] { section[member] = nil }
        // A rotation shows only the items of its step.
        if section["sort"]?["rotate"] != nil { section["sort"] = nil }
        section["size"] = .integer(FeedSection.maxSize)
        section["continues"] = .bool(true)
        section["minItems"] = .integer(0)
        sections.append(section)
        var document = draft.document
        document["sections"] = .array(sections)
        self.document = document
        self.section = key ?? Self.ownKey
    }

    func found(_ explanation: FeedExplanation) throws -> [RuleMatch] {
        guard let response = explanation.sections.first(where: { $0.section.text == section }) else {
            throw RemoteError(message: "the server did not evaluate the rule", advice: "", exitCode: .failed)
        }
        if let ruleFailure = response.ruleFailure {
            let reason =
                switch ruleFailure {
                case .timeout: "it takes too long"
                case .tooLarge: "it is too large"
                case .skipped: "the rules above took too long"
                }
            throw RemoteError(
                message: "cannot evaluate the rule: \(reason)", advice: "remove conditions of the rule, or try again",
                exitCode: .failed)
        }
        return response.slots.enumerated().compactMap { index, slot in
            guard let item = slot.item else { return nil }
            var sortValues: SectionExplanation.SortValues?
            if case .rule(_, let values) = slot.reason { sortValues = values }
            return RuleMatch(index: index, id: item.description, sortValues: sortValues)
        }
    }
}

struct RuleMatch: Sendable, JSONObjectEncodable {
    let index: Int
    let id: String
    /// The kind and the slug; nil if the item is not available in the storefront.
    var name: String?
    /// The title in the storefront.
    var title: String?
    let sortValues: SectionExplanation.SortValues?

    func encodeMembers(to json: inout JSONWriter) {
        json.member("position", index)
        json.member("item", id)
        json.member("title", title)
        json.member("sortValues", sortValues)
    }

    static let columns: [ListPage<RuleMatch>.Column] = [
        .init(title: "POSITION") { "\($0.index)" },
        .init(title: "CHART RANK") { $0.sortValues?.rank.map(String.init) ?? "" },
        .init(title: "RATING") { $0.sortValues?.stars ?? "" },
        .init(title: "RATING COUNT", isWide: true) { $0.sortValues.map { "\($0.ratings)" } ?? "" },
        .init(title: "RELEASE DATE") { $0.sortValues?.releasedOn.description ?? "" }, .init(title: "ID", isWide: true) { $0.id },
        .init(title: "ITEM") { $0.name ?? $0.id },
        .init(title: "TITLE", whole: { $0.shownTitle.printable() }) { $0.shownTitle.printable(limit: 80) },
    ]

    private var shownTitle: String { title ?? sortValues?.title ?? id }
}

internal import JSON

/// The comments at the top of a new file, which explain its commands and its short forms.
enum FeedFileHeader {
    private struct Form: Sendable {
        let text: String
        let isUsed: @Sendable (JSONValue) -> Bool
    }

    static func lines(for file: FeedFile, _ document: JSONValue) -> [String] {
        let name = file.place.name
        let what = file.line == .main ? "The feed \(file.document.key)" : "The line \(file.line) of the feed \(file.document.key)"
        let head = [
            "\(what). Comments and commas behind last elements are welcome, and stay.",
            "To see what a change would bring: vitrine diff -f \(name)", "To save it as the draft:          vitrine apply -f \(name)",
        ]
        let used = forms.filter { $0.isUsed(document) }.map { "  \($0.text)" }
        return head + (used.isEmpty ? [] : ["", "What is written short here:"] + used)
    }

    private static let forms: [Form] = [
        Form(text: #""topapp:…", "foodapp:…"      an item by its kind and slug; its id would do"#) { document in
            document.contains { $0.text.map { $0.hasPrefix("topapp:") || $0.hasPrefix("foodapp:") } ?? false }
        },
        Form(text: #"{"preset": "…"}              a layout by its name; vitrine layout ls has them"#) { $0.hasKey("preset") },
        Form(text: #"{"carousel": {…}}            a shelf to be moved sideways, with what is not said as usual"#) { $0.hasKey("carousel") },
        Form(text: #"{"grid": {…}}                columns of equal width, with what is not said as usual"#) { $0.hasLayout("grid") },
        Form(text: #"{"list": {…}}                rows one below another, with what is not said as usual"#) { $0.hasLayout("list") },
        Form(text: #"{"nestedGroup": "…"}         groups within groups, by a name"#) { $0.hasKey("nestedGroup") },
        Form(text: #""alternates": … "active"     the section's own layout, among those that a user may choose from"#) { document in
            document.contains { $0 == .string("active") }
        },
        Form(text: #""cell": "…"                  one kind of cell for every slot of the layout"#) { $0.hasKey("cell") },
        Form(text: #""category": "…", "cuisine"   one needs no list"#) { document in
            ["category", "cuisine"].contains { key in document.contains { $0[key]?.text != nil } }
        },
        Form(text: #""-rating", "-releaseDate"    the best, the newest first"#) { document in
            document.contains { $0["sort"]?.text?.hasPrefix("-") ?? false }
        },
        Form(text: #""rule" without "sort"        the best first"#) { $0.hasSection(with: "rule", without: "sort") },
        Form(text: #""rotate": … "every": "P1D"   everything has its turn: a step each P1W, P1D, PT6H or PT30M"#) { $0.hasKey("rotate") },
        Form(text: #""releasedWithin"             counts days, which change at midnight in the storefront"#) {
            $0.hasKey("releasedWithin")
        },
        Form(text: #""appVersion", "os": ">=3.0"  versions: ">=3.0", "<4", ">=3.0 <4.2.1", "=3.1""#) { document in
            document.hasKey("appVersion") || document.hasKey("os")
        },
        Form(text: #""bucket": {…, "from", "to"}  places of 100 in an experiment, "to" not among them"#) { $0.hasKey("bucket") },
        Form(text: #""maxDrop": 0.5           a share below 1, or a number of items"#) { $0.hasKey("maxDrop") },
        Form(text: #"no "limit"                   at most 100 items"#) { $0.hasSection(with: "key", without: "limit") },
        Form(text: #"no "minItems"                shown anew with 1 item or more"#) { $0.hasSection(with: "key", without: "minItems") },
        Form(text: #"no "target"                  for everybody"#) { $0.hasSection(with: "key", without: "target") },
        Form(text: #"no "tracking"                counted under FEED.SECTION"#) { $0.hasSection(with: "key", without: "tracking") },
    ]
}

extension JSONValue {
    /// Whether the condition is true for this value or a value within it.
    fileprivate func contains(_ isSo: (JSONValue) -> Bool) -> Bool {
        if isSo(self) { return true }
        return switch self {
        case .array(let elements): elements.contains { $0.contains(isSo) }
        case .object(let members): members.contains { $0.value.contains(isSo) }
        default: false
        }
    }

    fileprivate func hasKey(_ key: String) -> Bool { contains { $0[key] != nil } }

    /// Only the `layout` field counts, because an alternate can have the same name as a form.
    fileprivate func hasLayout(_ form: String) -> Bool { contains { $0["layout"]?[form] != nil } }

    fileprivate func hasSection(with key: String, without other: String) -> Bool {
        guard case .array(let sections)? = self["sections"] else { return false }
        return sections.contains { $0[key] != nil && $0[other] == nil }
    }
}

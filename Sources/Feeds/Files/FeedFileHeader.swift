internal import JSON

/// The comments at the top of a new file, which explain its commands and its short forms.
enum FeedFileHeader {
    private struct Form: Sendable {
        let text: String
        let isUsed: @Sendable (JSONValue) -> Bool
    }

    static func lines(for file: FeedFile, _ document: JSONValue) -> [String] {
        let name = file.location.name
        let what = file.line == .main ? "The feed \(file.document.key)" : "The line \(file.line) of the feed \(file.document.key)"
        let head = [
            "\(what). Comments and trailing commas are allowed and kept.",
            "To review your changes:      vitrine diff -f \(name)", "To save them as the draft:   vitrine apply -f \(name)",
        ]
        let used = forms.filter { $0.isUsed(document) }.map { "  \($0.text)" }
        return head + (used.isEmpty ? [] : ["", "Short forms in this file:"] + used)
    }

    private static let forms: [Form] = [
        Form(text: #""topapp:…", "foodapp:…"      an item by kind and slug; an ID is also valid"#) { document in
            document.contains { $0.text.map { $0.hasPrefix("topapp:") || $0.hasPrefix("foodapp:") } ?? false }
        },
        Form(text: #"{"preset": "…"}              a layout by name; 'vitrine layout ls' lists them"#) { $0.hasKey("preset") },
        Form(text: #"{"carousel": {…}}            a shelf that scrolls sideways; omitted fields have defaults"#) { $0.hasKey("carousel") },
        Form(text: #"{"grid": {…}}                columns of equal width; omitted fields have defaults"#) { $0.hasLayout("grid") },
        Form(text: #"{"list": {…}}                rows below each other; omitted fields have defaults"#) { $0.hasLayout("list") },
        Form(text: #"{"nestedGroup": "…"}         a layout of nested groups, by name"#) { $0.hasKey("nestedGroup") },
        Form(text: #""alternates": … "active"     the section's own layout, as one of the user's choices"#) { document in
            document.contains { $0 == .string("active") }
        },
        Form(text: #""cell": "…"                  the style of all cells without one in "cells""#) { $0.hasKey("cell") },
        Form(text: #""category": "…", "cuisine"   a single value needs no list"#) { document in
            ["category", "cuisine"].contains { key in document.contains { $0[key]?.text != nil } }
        },
        Form(text: #""-rating", "-releaseDate"    the best or the newest first"#) { document in
            document.contains { $0["sort"]?.text?.hasPrefix("-") ?? false }
        },
        Form(text: #""rule" without "sort"        sorted by rating, the best first"#) { $0.hasSection(with: "rule", without: "sort") },
        Form(text: #""rotate": … "every": "P1D"   a rotation with a step every P1W, P1D, PT6H or PT30M"#) { $0.hasKey("rotate") },
        Form(text: #""releasedWithin"             a number of days, which start at midnight in the storefront"#) {
            $0.hasKey("releasedWithin")
        },
        Form(text: #""appVersion", "os": ">=3.0"  a version range: ">=3.0", "<4", ">=3.0 <4.2.1", "=3.1""#) { document in
            document.hasKey("appVersion") || document.hasKey("os")
        },
        Form(text: #""experiment": {"…": ["…"]}   arms of an experiment; 'vitrine experiment ls' lists them"#) { $0.hasKey("experiment") },
        Form(text: #""during": {"from": "…"}      without an offset, a time on the clock of each storefront"#) { $0.hasKey("during") },
        Form(text: #""maxDrop": 0.5               a share below 1, or a number of items"#) { $0.hasKey("maxDrop") },
        Form(text: #""eligibility": "none"        also items that do not run on the platform of the client"#) { $0.hasKey("eligibility") },
        Form(text: #"no "size"                    at most 20 items on the page"#) { $0.hasSection(with: "key", without: "size") },
        Form(text: #"no "minItems"                updated if the rule finds at least 1 item"#) {
            $0.hasSection(with: "key", without: "minItems")
        },
        Form(text: #"no "target"                  for all clients"#) { $0.hasSection(with: "key", without: "target") },
        Form(text: #"no "tracking"                the tracking name FEED.SECTION"#) { $0.hasSection(with: "key", without: "tracking") },
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

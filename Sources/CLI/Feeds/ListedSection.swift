internal import JSON
internal import Values

/// A section of a draft as a list tells it; its document for programs.
struct ListedSection: Sendable, JSONEncodable {
    let value: JSONValue
    /// The language of titles, where they have it.
    let locale: String?

    func encode(to json: inout JSONWriter) { value.encode(to: &json) }

    var key: String { value["key"]?.text ?? "" }

    static let columns: [ListPage<ListedSection>.Column] = [
        .init(title: "SECTION") { $0.key }, .init(title: "TITLE") { $0.title },
        .init(title: "LAYOUT") { $0.layout }, .init(title: "CELL", isWide: true) { $0.cell },
        .init(title: "LIMIT") { "\($0.value["limit"]?.number ?? 100)" }, .init(title: "PINS") { "\(FeedDraft.pins(of: $0.value).count)" },
        .init(title: "FOR", isWide: true) { $0.value["target"]?.text(.compact) ?? "everybody" },
        .init(title: "SORT", isWide: true) { section in section.value["sort"].map { $0.text ?? $0.text(.compact) } ?? "-rating" },
        .init(title: "RULE") { $0.value["rule"]?.text(.compact).printable() ?? "" },
    ]

    private var title: String { value["title"].map { Self.text($0, in: locale) } ?? "" }

    /// In a language, or in English, or in the first there is.
    static func text(_ texts: JSONValue, in locale: String?) -> String {
        let text = locale.flatMap { texts[$0] } ?? texts["en"] ?? texts.members.first?.value
        return text?.text?.printable(limit: 60) ?? ""
    }

    /// The preset or the form, with a sign that there are others for other screens.
    private var layout: String {
        guard let form = value["layout"] else { return "" }
        let word = form["preset"]?.text ?? form["nestedGroup"]?.text ?? form.members.first?.key ?? ""
        return word + (value["variants"] == nil && value["alternates"] == nil ? "" : " …")
    }

    private var cell: String {
        value["cell"]?.text ?? value["cells"]?.members.map { "\($0.key)=\($0.value.text ?? "")" }.joined(separator: ",") ?? ""
    }
}

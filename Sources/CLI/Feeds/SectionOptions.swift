internal import Arguments
internal import Feeds
internal import JSON
internal import Layout
internal import Values

/// The options for a section on the command line, and their effect on its document.
struct SectionOptions: Sendable {
    private static let file = Option(
        "file", short: "f", .file, "The file of the section as JSON, or - for standard input. The other options change this section.")
    private static let titles = Option(
        repeating: "title", .text.named("LOCALE=TEXT"), "The title in a locale, such as en=New. An empty text deletes it.")
    private static let subtitles = Option(
        repeating: "subtitle", .text.named("LOCALE=TEXT"), "The subtitle in a locale. An empty text deletes it.")
    private static let layout = Option(
        "layout", .layout,
        "The layout: list, grid, carousel, the name of a preset, or JSON such as '{\"grid\": {\"columns\": 3}}', @FILE or -.")
    private static let cells = Option(
        repeating: "cell", .text.named("NAME"),
        "The cell style with which clients draw the items, such as appRow. If the layout has named slots, SLOT=NAME sets the style of one of them, such as large=tileLarge."
    )
    private static let pins = Option(
        repeating: "pin", .text.named("ITEM").completed(by: RemoteCompletions.items),
        "An item to pin before the items of the rule.")
    private static let rule = Option("rule", .text.named("JSON"), "The rule as JSON, such as '{\"kind\": \"topApp\"}', @FILE or -.")
    private static let sort = Option(
        "sort", .order, "The order of the items of the rule: -rating, -releaseDate, title, chart:NAME, or JSON.")
    private static let size = Option(
        "size", .integer(in: 1...100).named("N"),
        "The maximum number of items that the section shows on the page. A section that is added without it shows up to 20.")
    private static let minItems = Option(
        "min-items", .integer(in: 0...100).named("N"),
        "The minimum number of items. If a change of the catalog leaves fewer, the section keeps the items that it had before. The page omits a new or changed section with fewer items."
    )
    private static let exclusions = Option(
        repeating: "exclude", .text.named("ITEM").completed(by: RemoteCompletions.items),
        "An item that the section never shows. All --exclude options together replace the field exclude of the section.")
    private static let from = Option(
        "from", .text.named("TIME"),
        "The start of the period in which the section exists. If the section has no period yet, the default is the start of the "
            + "publication.")
    private static let until = Option(
        "until", .text.named("TIME"),
        """
        The end of the period in which the section exists. If the section has no period yet, the default is the end of the publication. \
        To delete the period, use '--unset during'.
        """
    )
    private static let local = Option(
        flag: "local", "Read times without an offset as wall-clock times in each storefront.")
    private static let others = Option(
        repeating: "set", .text.named("FIELD=VALUE"),
        "Set a field that has no option of its own. The value is JSON or a word, such as 'skeleton=3', "
            + "'tracking=summer' or 'target={\"platforms\": [\"ios\"]}'.")
    private static let gone = Option(repeating: "unset", .member, "Delete a field of the section, such as target.")

    static let options: [any OptionDeclaring] = [
        titles, subtitles, layout, cells, rule, sort, size, minItems, exclusions, from, until, local, FeedOptions.timeZone, others, gone,
        file,
    ]
    static let additions: [any OptionDeclaring] = options + [pins]

    private var document: JSONValue?
    private var members: [(key: String, value: JSONValue?)] = []
    private var localized: [(key: String, locale: String, text: String)] = []
    private var bounds: [(key: String, time: PlannedTime)] = []
    private var choice: JSONValue?
    private var pinned: [ItemArgument] = []
    private var excluded: [ItemArgument] = []

    var isEmpty: Bool {
        document == nil && members.isEmpty && localized.isEmpty && bounds.isEmpty && choice == nil && excluded.isEmpty
    }

    /// Reads the options and their files; `adds` if the section is new.
    init(_ invocation: Invocation, _ console: Console, adds: Bool) throws {
        try JSONArgument.checkStandardInput(
            [invocation[Self.file], invocation[Self.layout], invocation[Self.rule], invocation[Self.sort]], invocation)
        if let path = invocation[Self.file] { document = try JSONArgument.file(path) }
        localized =
            try Self.texts(invocation[Self.titles], "title", invocation) + Self.texts(invocation[Self.subtitles], "subtitle", invocation)
        choice = try invocation[Self.layout].map { try Self.layout($0) }
        members += try Self.cells(invocation[Self.cells], invocation)
        if let rule = invocation[Self.rule] { members.append(("rule", try JSONArgument.value(rule, of: "--rule"))) }
        if let sort = invocation[Self.sort] { members.append(("sort", try Self.sort(sort))) }
        if let size = invocation[Self.size] { members.append(("size", .integer(size))) }
        if let minItems = invocation[Self.minItems] { members.append(("minItems", .integer(minItems))) }
        bounds = try Self.bounds(invocation, console)
        excluded = invocation[Self.exclusions].map(ItemArgument.init)
        for text in invocation[Self.others] {
            let (key, value) = try Self.pair(text, "--set", "FIELD=VALUE", invocation)
            members.append((key, try JSONArgument.valueOrWord(value, of: "--set \(key)")))
        }
        members += invocation[Self.gone].map { ($0, nil) }
        if adds { pinned = invocation[Self.pins].map(ItemArgument.init) }
    }

    /// Returns the options with item references for documents. Asks the server for the kind of items that are named
    /// alone.
    func naming(on server: AdminClient) async throws -> SectionOptions {
        var options = self
        var (pins, exclusions): ([JSONValue], [JSONValue]) = ([], [])
        for (slot, item) in pinned.enumerated() {
            let item = try await JSONValue.string(item.reference(on: server))
            pins.append(.object([.init(key: "slot", value: .integer(slot)), .init(key: "item", value: item)]))
        }
        for item in excluded { exclusions.append(.string(try await item.reference(on: server))) }
        if !pins.isEmpty { options.members.append(("pins", .array(pins))) }
        if !exclusions.isEmpty { options.members.append(("exclude", .array(exclusions))) }
        return options
    }

    func apply(to section: inout JSONValue) throws(RemoteError) {
        if let document {
            guard case .object = document else {
                throw RemoteError(message: "invalid section: expected a JSON object", advice: "", exitCode: .invalid)
            }
            let key = section["key"]
            section = document
            section["key"] = key
        }
        for (key, locale, text) in localized {
            var texts = section[key] ?? .object([])
            texts[locale] = text.isEmpty ? nil : .string(text)
            section[key] = texts.members.isEmpty ? nil : texts
        }
        for (key, time) in bounds {
            var period = section["during"] ?? .object([])
            period[key] = .string(time.canonical)
            section["during"] = period
        }
        if let choice {
            // The previous variants and alternates were made for the previous layout.
            section["variants"] = choice["variants"]
            section["alternates"] = choice["alternates"]
            var form = choice
            form["variants"] = nil
            form["alternates"] = nil
            section["layout"] = form
            // So were the cells, if there are others for the new layout.
            if members.contains(where: { ["cell", "cells"].contains($0.key) }) { (section["cell"], section["cells"]) = (nil, nil) }
        }
        for (key, value) in members { section[key] = value }
    }

    // MARK: Parsing

    static func texts(
        _ arguments: [String], _ key: String, _ invocation: Invocation
    ) throws -> [(key: String, locale: String, text: String)] {
        try arguments.map { argument in
            let (locale, text) = try pair(argument, "--\(key)", "LOCALE=TEXT", invocation)
            return (key, locale, text)
        }
    }

    /// Returns the bounds of the period. The options have the same forms as those of a publication.
    private static func bounds(_ invocation: Invocation, _ console: Console) throws -> [(key: String, time: PlannedTime)] {
        let isLocal = invocation[local]
        if isLocal, invocation[FeedOptions.timeZone] != nil {
            throw invocation.usageError("conflicting options '--local' and '--tz': expected only one of them")
        }
        if isLocal || invocation[FeedOptions.timeZone] != nil, invocation[from] == nil, invocation[until] == nil {
            throw invocation.usageError("option '\(isLocal ? "--local" : "--tz")' requires '--from' or '--until'")
        }
        let times = try TimeArgumentParser(invocation, console)
        let bounds = [("from", try times.plannedTime(from, isLocal: isLocal)), ("until", try times.plannedTime(until, isLocal: isLocal))]
        return bounds.compactMap { key, time in time.map { (key, $0) } }
    }

    static func pair(_ argument: String, _ option: String, _ form: String, _ invocation: Invocation) throws -> (String, String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
            throw invocation.usageError("invalid value \(argument.printable(limit: 40).quoted) for '\(option)': expected \(form)")
        }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }

    private static func cells(_ arguments: [String], _ invocation: Invocation) throws -> [(key: String, value: JSONValue?)] {
        let names = arguments.filter { !$0.contains("=") }
        guard names.count <= 1 else {
            throw invocation.usageError("invalid values for '--cell': expected one NAME, and SLOT=NAME for each cell that the layout names")
        }
        var cells = JSONValue.object([])
        for argument in arguments where argument.contains("=") {
            let (slot, style) = try pair(argument, "--cell", "SLOT=NAME", invocation)
            cells[slot] = .string(style)
        }
        return names.map { ("cell", .string($0)) } + (cells.members.isEmpty ? [] : [("cells", cells)])
    }

    private static func layout(_ argument: String) throws -> JSONValue {
        if ["list", "grid", "carousel"].contains(argument) { return .object([.init(key: argument, value: .object([]))]) }
        if Preset.named(argument) != nil { return .object([.init(key: "preset", value: .string(argument))]) }
        return try JSONArgument.value(argument, of: "--layout")
    }

    static func sort(_ argument: String) throws -> JSONValue {
        switch argument {
        case "title", "-rating", "-releaseDate": .string(argument)
        default:
            if argument.hasPrefix("chart:") {
                .object([.init(key: "chart", value: .string(String(argument.dropFirst(6))))])
            } else {
                try JSONArgument.value(argument, of: "--sort")
            }
        }
    }
}

extension String {
    fileprivate var quoted: String { "'\(self)'" }

    fileprivate var withoutHyphen: String { hasPrefix("-") ? String(dropFirst()) : self }
}

extension ValueFormat<String> {
    static var order: ValueFormat {
        let arguments = ["-rating", "-releaseDate", "title"]
        let read = { @Sendable (text: String) throws(InvalidValue) -> String in
            guard arguments.contains(text) || text == "-" || ["chart:", "@", "{", "\""].contains(where: text.hasPrefix) else {
                // Without hyphens, a short word is near to one of them.
                let nearest = text.withoutHyphen.nearest(among: arguments.map(\.withoutHyphen))
                throw InvalidValue(
                    expected: "-rating, -releaseDate, title, chart:NAME, JSON, @FILE or -",
                    suggestion: arguments.first { $0.withoutHyphen == nearest })
            }
            return text
        }
        var format = ValueFormat("ORDER", read: read, write: { $0 })
        format.dashedValues = arguments.filter { $0.hasPrefix("-") }
        return format.completed(by: .live { _, _ in (arguments + ["chart:"]).map { CompletionCandidate($0) } })
    }

    fileprivate static var member: ValueFormat {
        let names = FeedSection.memberNames.filter { $0 != "key" }
        let read = { @Sendable (text: String) throws(InvalidValue) -> String in
            guard names.contains(text) else {
                throw InvalidValue(expected: "a field of a section, such as target", suggestion: text.nearest(among: names))
            }
            return text
        }
        return ValueFormat("FIELD", read: read, write: { $0 }).completed(by: .live { _, _ in names.map { CompletionCandidate($0) } })
    }

    /// The format of a layout: a preset, a short form or JSON. The shell completes the first two.
    fileprivate static var layout: ValueFormat {
        let arguments = ["list", "grid", "carousel"] + Preset.all.map(\.name)
        var notation = ValueFormat(
            "LAYOUT",
            read: { text throws(InvalidValue) in
                guard arguments.contains(text) || text == "-" || text.hasPrefix("@") || text.hasPrefix("{") else {
                    throw InvalidValue(
                        expected: "a preset, list, grid, carousel, JSON, @FILE or -",
                        suggestion: text.nearest(among: arguments))
                }
                return text
            },
            write: { $0 })
        notation.completion = .live { _, _ in
            ["list", "grid", "carousel"].map { CompletionCandidate($0) } + Preset.all.map { CompletionCandidate($0.name, $0.abstract) }
        }
        return notation
    }
}

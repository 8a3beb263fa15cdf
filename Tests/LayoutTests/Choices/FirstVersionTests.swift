import JSON
import ScreenFiles
import Security
import TestSupport
import Testing

@testable import Layout

@Suite("Variants for clients of version 1.0")
struct FirstVersionTests {
    /// A client of version 1.0, in which a condition was a size class, a smallest width or a largest width.
    private enum Client: CaseIterable {
        /// Ignores unknown fields of a condition, and reads all others.
        case readsSeveralFields
        /// Ignores unknown fields of a condition, and a variant without exactly one other field.
        case readsOneField
        /// Ignores a variant with an unknown field in its condition.
        case readsKnownConditions

        func reads(_ fields: [JSONValue.Member]) -> Bool {
            let known = fields.count { ["horizontalSizeClass", "minWidth", "maxWidth"].contains($0.key) }
            return switch self {
            case .readsSeveralFields: known > 0
            case .readsOneField: known == 1
            case .readsKnownConditions: known == fields.count
            }
        }
    }

    private struct Shown: Equatable {
        let layout: LayoutID
        let cells: CellStyles?
    }

    private static let conditions = [
        #"{"horizontalSizeClass": "regular"}"#, #"{"horizontalSizeClass": "compact"}"#, #"{"minWidth": 700}"#, #"{"maxWidth": 389.5}"#,
        #"{"minTextSize": "xLarge"}"#, #"{"maxTextSize": "xLarge"}"#, #"{"minTextSize": "accessibilityLarge"}"#, #"{"minHeight": 800}"#,
        #"{"verticalSizeClass": "compact"}"#, #"{"horizontalSizeClass": "regular", "minTextSize": "xLarge"}"#,
        #"{"horizontalSizeClass": "regular", "maxHeight": 850}"#, #"{"minWidth": 390, "maxTextSize": "accessibilityLarge"}"#,
        #"{"maxWidth": 820, "verticalSizeClass": "regular"}"#, #"{"horizontalSizeClass": "regular", "minWidth": 700}"#,
    ]
    private static let forms = [
        #"{"grid": {"columns": 2, "regularColumns": 6}"#, #"{"grid": {"columns": 3}"#, #"{"list": {}"#, #"{"carousel": {"rows": 2}"#,
        #"{"list": {"rowHeight": {"absolute": 50}}"#, #"{"preset": "photo-grid-adaptive""#, #"{"preset": "feature-pair""#,
    ]
    private static let screens = ([389, 390, 699, 700, 820, 1024] as [Magnitude]).flatMap { width in
        LayoutEnvironment.SizeClass.allCases.map { LayoutEnvironment(width: width, height: 844, horizontalSizeClass: $0) }
    }

    private static func choice(_ random: inout SeededRandom) -> String {
        func one(of texts: [String]) -> String { texts[Int.random(in: texts.indices, using: &random)] }
        let variants = (0..<Int.random(in: 0...3, using: &random)).map { index in
            let cell = Bool.random(using: &random) ? #", "cell": "cell\#(index)""# : ""
            return #"{"when": \#(one(of: conditions)), "layout": \#(one(of: forms))}\#(cell)}"#
        }
        return one(of: forms) + #", "variants": [\#(variants.joined(separator: ", "))]}"#
    }

    /// Returns what a client shows of a section, as the JSON of a page describes it.
    private func shown(of section: JSONValue, on screen: LayoutEnvironment, by client: Client) throws -> Shown {
        let variant = try section["variants"]?.list.first { variant in
            let fields = variant["when"]?.members ?? []
            guard client.reads(fields) else { return false }
            return try fields.allSatisfy { field in
                switch field.key {
                case "horizontalSizeClass": field.value == .string(screen.horizontalSizeClass.rawValue)
                case "minWidth": try #require(field.value.width) <= screen.width.value
                case "maxWidth": try #require(field.value.width) >= screen.width.value
                default: true
                }
            }
        }
        let layout = try #require((variant ?? section)["layout"]?.text)
        return Shown(layout: try #require(LayoutID(layout)), cells: CellStyles(cell: variant?["cell"]?.text))
    }

    /// Returns what a client is meant to show: the first variant that it can understand, and that holds for a user who chose
    /// no text size. Such a client does not know heights.
    private func meant(
        by choice: LayoutChoice, on screen: LayoutEnvironment, for client: Client, in table: inout LayoutTable
    ) throws -> Shown {
        var (form, cells, readsClassOfForm) = (choice.form, CellStyles?.none, true)
        for variant in choice.variants {
            let condition = variant.condition
            let fields = try JSONValue(parsing: condition.json()).members
            let widths = fields.filter { $0.key.hasSuffix("Width") }
            let known = widths.count + fields.count { $0.key == "horizontalSizeClass" }
            let ofText = fields.count { $0.key.hasSuffix("TextSize") }
            guard known + ofText == fields.count, condition.holds(in: screen) else { continue }
            if client == .readsKnownConditions, ofText > 0 { continue }
            if client == .readsOneField, known > 1 { continue }
            (form, cells) = (variant.form, variant.cells)
            readsClassOfForm = client != .readsOneField || widths.isEmpty
            break
        }
        var screen = screen
        if !readsClassOfForm { screen.horizontalSizeClass = .compact }
        return Shown(layout: table.publish(form.expanded(at: 0).layout(in: screen), hashedBy: { Digest.sha256($0) }), cells: cells)
    }

    @Test(
        "Each of them shows the layout and the cells that are meant for its screen, and later clients show what they showed",
        arguments: 0..<20 as Range<UInt64>)
    func everyClient(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var added = 0
        for _ in 0..<10 {
            let text = Self.choice(&random)
            let choice = try LayoutChoice(parsing: Array(text.utf8))
            let expansion = choice.expanded(at: 0)
            var table = LayoutTable()
            let arrangement = expansion.published(into: &table) { Digest.sha256($0) }
            added += arrangement.variants.count - expansion.variants.count
            let section = try JSONValue(parsing: LayoutPage.Section(id: "s", arrangement: arrangement).json())
            for screen in Self.screens {
                for client in Client.allCases {
                    let meant = try meant(by: choice, on: screen, for: client, in: &table)
                    #expect(try shown(of: section, on: screen, by: client) == meant, "\(text): \(client) on \(screen), seed \(seed)")
                }
                for textSize in TextSize.allCases {
                    for verticalSizeClass in LayoutEnvironment.SizeClass.allCases {
                        var screen = screen
                        (screen.textSize, screen.verticalSizeClass) = (textSize, verticalSizeClass)
                        // Variants were added before the others, so equal numbers remain after the one that is shown.
                        let later = expansion.variants.firstIndex { $0.condition.holds(in: screen) }.map { expansion.variants.count - $0 }
                        let shown = arrangement.variants.firstIndex { $0.condition.holds(in: screen) }
                        try #require(shown.map { arrangement.variants.count - $0 } == later, "\(text) on \(screen), seed \(seed)")
                    }
                }
            }
        }
        #expect(added > 0)
    }

    @Test(
        "A variant for them is added only if they would show another layout",
        arguments: [
            (#"{"list": {}}"#, 0), (#"{"grid": {}}"#, 0), (#"{"carousel": {}}"#, 0), (#"{"preset": "photo-grid-adaptive"}"#, 0),
            (#"{"grid": {"columns": 2, "regularColumns": 4}}"#, 1),
            (#"{"list": {}, "variants": [{"when": {"minWidth": 700}, "layout": {"grid": {}}}]}"#, 1),
            (#"{"list": {}, "variants": [{"when": {"minTextSize": "xLarge"}, "layout": {"grid": {}}}]}"#, 0),
            (#"{"list": {}, "variants": [{"when": {"minTextSize": "xLarge"}, "layout": {"preset": "photo-grid-adaptive"}}]}"#, 1),
        ])
    func added(form: String, count: Int) throws {
        let expansion = try LayoutChoice(parsing: Array(form.utf8)).expanded(at: 0)
        var table = LayoutTable()
        let arrangement = expansion.published(into: &table) { Digest.sha256($0) }
        #expect(arrangement.variants.dropFirst(count).map(\.condition) == expansion.variants.map(\.condition))
        for variant in arrangement.variants.prefix(count) { #expect(try Condition(parsing: variant.condition.json()) == variant.condition) }
    }

    // With an algorithm of quadratic time, the test would take minutes.
    @Test("A section can have as many variants as a document has space for", arguments: [false, true])
    func many(isForLargeText: Bool) throws {
        let count = 16_000
        let textSize = isForLargeText ? #", "minTextSize": "xLarge""# : ""
        let variants = (1...count).map { width in
            #"{"when": {"minWidth": \#(width), "maxWidth": \#(width)\#(textSize)}, "layout": {"grid": {"columns": 2, "regularColumns": 2}}}"#
        }
        let text = #"{"list": {}, "variants": [\#(variants.joined(separator: ","))]}"#
        let choice = try LayoutChoice(parsing: Array(text.utf8), limits: .ownOutput)
        let expansion = choice.expanded(at: 0)
        var table = LayoutTable()
        let arrangement = expansion.published(into: &table) { Digest.sha256($0) }
        #expect(expansion.variants.count >= count && arrangement.variants.count >= expansion.variants.count)
        #expect(arrangement.variants.suffix(expansion.variants.count).map(\.condition) == expansion.variants.map(\.condition))
        let found = LayoutLint(try ScreenMatrix.builtIn()).findings(in: expansion)
        #expect(found.allSatisfy { $0.code.severity == .warning })
    }
}

extension JSONValue {
    fileprivate var width: Double? {
        switch self {
        case .integer(let width): Double(width)
        case .number(let width): width
        default: nil
        }
    }
}

import Foundation

/// The layouts of a section or of its list in the model, chosen as `docs/clients.md` describes. It shares no code with the
/// target `Layout`.
struct NaiveLayouts: Sendable {
    private let standard: ChosenLayout
    private let variants: [(condition: NaiveCondition, layout: ChosenLayout)]
    private let alternates: [String: ChosenLayout]
    private let active: String?

    /// Reads the layouts of a section, or those of the list of a section.
    init(_ data: [String: Any], listOf section: [String: Any] = [:]) {
        func layout(_ own: [String: Any]) -> ChosenLayout {
            func field(_ name: String) -> Any? { own[name] ?? data[name] ?? section[name] }
            let slots = (field("cells") as? [String: String] ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            let cells = [field("cell") as? String].compactMap(\.self) + slots
            return ChosenLayout(id: own["layout"] as? String ?? "", cells: cells.joined(separator: " "))
        }
        standard = layout(data)
        variants = (data["variants"] as? [[String: Any]] ?? []).map { (NaiveCondition($0["when"] as? [String: Any] ?? [:]), layout($0)) }
        alternates = (data["alternates"] as? [String: [String: Any]] ?? [:]).mapValues { layout($0) }
        active = data["active"] as? String
    }

    func choice(on display: TrialDisplay) -> ChosenLayout {
        if let name = display.alternate, name != active, let layout = alternates[name] { return layout }
        return variants.first { $0.condition.holds(on: display) }?.layout ?? standard
    }
}

/// The condition of a variant in the model, as `docs/layouts.md` describes it.
private struct NaiveCondition: @unchecked Sendable {
    // Unchecked: the values are never mutated after they are parsed.
    private let parts: [String: Any]

    init(_ parts: [String: Any]) { self.parts = parts }

    func holds(on display: TrialDisplay) -> Bool {
        parts.allSatisfy { name, value in
            switch name {
            case "horizontalSizeClass": value as? String == display.horizontalSizeClass
            case "verticalSizeClass": value as? String == display.verticalSizeClass
            case "minWidth": (value as? Double).map { $0 <= Double(display.width) } ?? false
            case "maxWidth": (value as? Double).map { $0 >= Double(display.width) } ?? false
            case "minHeight": (value as? Double).map { $0 <= Double(display.height) } ?? false
            case "maxHeight": (value as? Double).map { $0 >= Double(display.height) } ?? false
            case "minTextSize": Self.rank(value).map { $0 <= Self.rank(display.textSize) ?? 0 } ?? false
            case "maxTextSize": Self.rank(value).map { $0 >= Self.rank(display.textSize) ?? 0 } ?? false
            default: false
            }
        }
    }

    private static func rank(_ size: Any) -> Int? { (size as? String).flatMap { TrialDisplay.textSizes.firstIndex(of: $0) } }
}

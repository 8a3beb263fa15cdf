import JSON
import Layout

/// The layout that a client chooses for a section or for its list.
struct ChosenLayout: Hashable, Sendable {
    /// The ID of the layout.
    let id: String
    /// The style of the cells, and the names of the slots with their styles.
    let cells: String
}

/// The layouts of a section or of its list, as the app of a client has decoded them.
struct LayoutOptions: JSONObjectDecodable, Sendable {
    private let arrangement: Arrangement
    private let cells: CellStyles?

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        arrangement = try Arrangement(&object)
        cells = CellStyles(published: &object)
    }

    /// Returns the layout that the client draws. A list has the cells of its section unless it has its own.
    func choice(on display: TrialDisplay, listOf section: LayoutOptions? = nil) -> ChosenLayout {
        let (environment, alternate) = (display.environment, display.alternate.map { Name($0) })
        var styles = arrangement.cells(in: environment, chosen: alternate)
        for outer in [cells, section?.cells] {
            if let outer { styles = CellStyles.merged(styles, over: outer) }
        }
        return ChosenLayout(id: arrangement.layout(in: environment, chosen: alternate).text, cells: styles?.text ?? "")
    }
}

extension CellStyles {
    fileprivate var text: String {
        ([cell].compactMap(\.self) + slots.map { "\($0.key.text)=\($0.value)" }.sorted()).joined(separator: " ")
    }
}

extension TrialDisplay {
    /// The screen, as the app states it to `Layout`.
    fileprivate var environment: LayoutEnvironment {
        guard let width = Magnitude(Double(width)), let height = Magnitude(Double(height)), let textSize = TextSize(rawValue: textSize),
            let horizontal = LayoutEnvironment.SizeClass(rawValue: horizontalSizeClass),
            let vertical = LayoutEnvironment.SizeClass(rawValue: verticalSizeClass)
        else { preconditionFailure("a display has a size, two size classes and a text size") }
        return LayoutEnvironment(
            width: width, height: height, horizontalSizeClass: horizontal, verticalSizeClass: vertical, textSize: textSize)
    }
}

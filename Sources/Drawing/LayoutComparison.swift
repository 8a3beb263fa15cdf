package import Feeds
package import Layout
internal import Values

/// Small drawings of a section before and after a layout change, next to each other.
package struct LayoutComparison {
    private static let maxLines = 9
    private static let maxItems = 8

    package let section: String
    private let before: [String]
    private let after: [String]
    private let column: Int

    /// Creates a comparison of at most `width` columns. Returns nil if one of the layouts cannot be drawn.
    package init?(_ change: PublicationPlan.ChangedLayout, in environment: LayoutEnvironment, width: Int) {
        let column = min(36, (width - 9) / 2)
        guard column >= 12, let old = Self.drawing(change.before, environment, column),
            let new = Self.drawing(change.after, environment, column)
        else { return nil }
        section = change.title ?? change.section
        before = [change.before.layout.reported] + old
        after = [change.after.layout.reported] + new
        self.column = column
    }

    package var lines: [String] {
        (0..<max(before.count, after.count)).map { row in
            let left = row < before.count ? String(before[row].prefix(columns: column)) : ""
            let right = row < after.count ? String(after[row].prefix(columns: column)) : ""
            let arrow = row == 0 ? "→" : " "
            let line = left + String(repeating: " ", count: column - left.columns) + "  \(arrow)  " + right
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func drawing(
        _ side: PublicationPlan.ChangedLayout.Side, _ environment: LayoutEnvironment, _ width: Int
    ) -> [String]? {
        let request = PreviewRequest(
            title: "", screenTitle: "", environment: environment, configuration: PageConfiguration(),
            contents: [SectionContent(layout: side.layout.section, itemCount: min(side.itemCount, maxItems))])
        do throws(LayoutError) {
            return TextRenderer(try PreviewScene(request), width: width, isColored: false).sheet(of: 0, lines: maxLines)
        } catch {
            return nil
        }
    }
}

extension LayoutDescriptor {
    /// A short description, such as `carousel of 3 rows, groupPaging`.
    var reported: String {
        let family = family ?? Family(of: section)
        var text = family.kind.rawValue
        switch (family.columns, family.rows) {
        case (1, 1): break
        case (let columns, 1): text += " of \(columns) columns"
        case (1, let rows): text += " of \(rows) rows"
        case (let columns, let rows): text += " of \(columns) × \(rows)"
        }
        return family.paging == .none ? text : "\(text), \(family.paging.rawValue)"
    }
}

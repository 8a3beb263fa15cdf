internal import JSON
internal import Layout

extension PublicationReviewer {
    func layouts(of section: FeedSection, at index: Int, _ pointer: JSONPointer) -> [ReviewFinding] {
        var found = findings(
            of: section.layout, with: section.headerOfLayouts, at: index, itemCount: count(.shelf(section.key), section.shelf),
            section.key, pointer)
        if let seeAll = section.seeAll, let list = section.list {
            found += findings(
                of: seeAll.layout, with: .unchanged, at: index, itemCount: count(.list(section.key), list), section.key,
                pointer.appending("seeAll"))
        }
        return found + headers(of: section, at: index, pointer) + cells(of: section, pointer)
    }

    /// Returns the largest number of items in a storefront, or the maximum of the part if it has no items now.
    private func count(_ part: SectionPart, _ selection: ItemSelection) -> Int {
        let items = context.live.values.compactMap { $0[part]?.items }.max() ?? 0
        return items > 0 ? items : selection.size
    }

    private func findings(
        of choice: LayoutChoice, with header: SectionHeader, at index: Int, itemCount: Int, _ section: SectionKey, _ pointer: JSONPointer
    ) -> [ReviewFinding] {
        let expansion = choice.expanded(at: index).with(header)
        let lint = LayoutLint(matrix, configuration: document.configuration, itemCount: itemCount)
        var table = LayoutTable()
        _ = expansion.published(into: &table, hashedBy: hash)
        let fallbacks = table.findings(at: .root).map { finding in
            self.finding(finding, section, at: pointer.appending("layout"), within: [])
        }
        return fallbacks
            + lint.findings(in: expansion).map { finding in
                let (form, part) = choice.location(of: finding.pointer.tokens, at: index)
                return self.finding(finding, section, at: form.reduce(pointer) { $0.appending($1) }, within: part)
            }
    }

    private func finding(_ finding: Finding, _ section: SectionKey, at pointer: JSONPointer, within path: [String]) -> ReviewFinding {
        let part = path.isEmpty ? "" : " In the full layout, this is \(JSONPointer(tokens: path))."
        let screens = finding.isOnEveryScreen ? "" : "on \(finding.screens.listed): "
        return ReviewFinding(
            severity: finding.code.severity, code: .init(rawValue: finding.code.rawValue), section: section, pointer: pointer,
            message: "\(screens)\(finding.sentence)\(part)",
            help: finding.code.help)
    }
}

extension Finding.Code {
    fileprivate var help: String {
        switch self {
        case .unusedVariant:
            """
            Write one number of columns for all screens: use 'columns' without 'regularColumns', or the preset 'photo-grid' instead of \
            'photo-grid-adaptive'.
            """
        default: "Run 'vitrine layout preview' to see the effect. Choose another layout or other sizes."
        }
    }
}

// MARK: Headers and cells

extension PublicationReviewer {
    private func headers(of section: FeedSection, at index: Int, _ pointer: JSONPointer) -> [ReviewFinding] {
        func warning(_ code: ReviewFinding.Code, _ pointer: JSONPointer, _ message: String, _ help: String) -> ReviewFinding {
            ReviewFinding(severity: .warning, code: code, section: section.key, pointer: pointer, message: message, help: help)
        }
        guard section.hasHeading else {
            guard section.layout.expanded(at: index).with(section.headerOfLayouts).hasHeader else { return [] }
            let source = section.header == .automatic ? "layout" : "header"
            return [
                warning(
                    .emptyHeader, pointer.appending(source), "the layout has a header, but the section has no title, subtitle or seeAll",
                    "Add a title, or write \"header\": false.")
            ]
        }
        switch section.header {
        case .none:
            return [
                warning(
                    .hiddenTitle, pointer.appending("header"),
                    "no layout of the section has a header, so clients do not show its title, subtitle or button",
                    "Remove \"header\": false, or remove the title, the subtitle and seeAll.")
            ]
        case .automatic:
            return section.layout.treesWithoutHeader.map { path in
                warning(
                    .noHeader, path.reduce(pointer) { $0.appending($1) },
                    "the full layout has no header, so the server adds a header with a height of 44 points above the section",
                    "Add a boundary item of the kind header, or set \"header\" to choose its height.")
            }
        case .custom: return []
        }
    }

    private func cells(of section: FeedSection, _ pointer: JSONPointer) -> [ReviewFinding] {
        var all: [(path: [String], cells: CellStyles)] = [([], section.cells)] + section.layout.cells
        if let seeAll = section.seeAll {
            let cells = CellStyles.merged(seeAll.cells, over: section.cells)
            if seeAll.cells != nil { all.append((["seeAll"], cells)) }
            all += seeAll.layout.cells.map { (["seeAll"] + $0.path, CellStyles.merged($0.cells, over: cells)) }
        }
        return all.filter { CellStyles.merged($0.cells, over: section.cells).cell == nil }.map { path, _ in
            ReviewFinding(
                severity: .warning, code: .noDefaultCell, section: section.key,
                pointer: path.reduce(pointer) { $0.appending($1) }.appending("cells"),
                message:
                    "only named slots have a cell style, so a layout without named slots, such as a fallback for older clients, has no cell style",
                help: "Add \"cell\", the style of all other cells.")
        }
    }
}

internal import Arguments
import Host
internal import JSON
internal import Layout
internal import ScreenFiles

/// `vitrine layout lint`: the problems of a layout on any screen.
struct LintCommand {
    let console: Console

    private static let items = Option(
        "items", .integer(in: 0...10_000), default: 20, "The number of items of a section, if the document does not state it.")

    var command: Command {
        Command(
            "lint", "Check a layout on every screen",
            discussion: """
                Each finding names its screens and describes the visible effect. Its pointer refers to the full layout, as printed by \
                vitrine layout show. Fallback layouts are checked only if the file is a published page, because only pages contain \
                them. The command exits with 5 if a finding is an error, which prevents a publication.
                """,
            examples: [
                Example("vitrine layout lint mine.json", "Check a layout file."),
                Example("vitrine layout show image-carousel | vitrine layout lint -", "Check a preset that has a warning."),
                Example("vitrine layout lint --items 7 -o json mine.json", "Check a section of seven items, and print JSON."),
            ],
            arguments: [LayoutSource.file], options: [Self.items, OutputFormat.option]
        ) { invocation in
            try console.explaining {
                let document = try LayoutSource(name: invocation[LayoutSource.file]).document()
                let matrix = try ScreenMatrix.builtIn()
                let findings = document.findings(on: matrix, itemCount: invocation[Self.items])
                switch invocation[OutputFormat.option] {
                case .table: try console.print(table(findings, screenCount: matrix.screens.count))
                case .json: try console.printJSON(findings)
                }
                return findings.contains { $0.code.severity == .error } ? .invalid : .ok
            }
        }
    }

    private func table(_ findings: [Finding], screenCount: Int) -> String {
        let isColored = console.isColored(.output)
        guard !findings.isEmpty else { return "no findings on \(screenCount) screens, left to right and right to left\n" }
        return findings.map { finding in
            let isError = finding.code.severity == .error
            let mark = isColored ? "\u{1B}[\(isError ? 31 : 33)m\(finding.code.severity.rawValue)\u{1B}[0m" : finding.code.severity.rawValue
            let pointer = finding.pointer.tokens.isEmpty ? "the layout" : finding.pointer.description
            let screens = finding.isOnEveryScreen ? "on every screen" : "on \(finding.screens.joined(separator: ", "))"
            return "\(mark): \(finding.code.rawValue) at \(pointer), \(screens)\n    \(finding.sentence)\n"
        }.joined()
    }
}

extension LayoutDocument {
    fileprivate func findings(on matrix: ScreenMatrix, itemCount: Int) -> [Finding] {
        switch self {
        case .choice(let choice): choice.findings(by: LayoutLint(matrix, itemCount: itemCount))
        case .request(let request): request.findings(on: matrix, itemCount: itemCount)
        case .page(let page): page.findings(on: matrix, itemCount: itemCount)
        }
    }
}

extension LayoutChoice {
    /// Returns the findings for every position on a page, because a form may give each section another layout. A
    /// finding of several sections is reported once.
    fileprivate func findings(by lint: LayoutLint) -> [Finding] {
        var tried: Set<Expansion> = []
        var known: Set<[String]> = []
        return (0..<Family.maxTracks).map { expanded(at: $0) }.filter { tried.insert($0).inserted }.flatMap { lint.findings(in: $0) }
            .filter { known.insert([$0.code.rawValue, $0.pointer.description]).inserted }
    }
}

extension SolveRequest {
    /// Returns the findings of each layout with the first section that uses it.
    fileprivate func findings(on matrix: ScreenMatrix, itemCount: Int) -> [Finding] {
        layouts.enumerated().flatMap { index, layout in
            let count = index < itemCounts.count ? itemCounts[index] : itemCount
            return LayoutLint(matrix, configuration: configuration, itemCount: count).findings(in: layout.expanded(at: index))
                .map { $0.moved(below: JSONPointer.root.appending("layouts").appending(index)) }
        }
    }
}

extension LayoutPage {
    fileprivate func findings(on matrix: ScreenMatrix, itemCount: Int) -> [Finding] {
        let lint = LayoutLint(matrix, configuration: configuration, itemCount: itemCount)
        let location = JSONPointer.root.appending("layouts")
        return layouts.findings(at: location)
            + layouts.layouts.sorted { $0.key < $1.key }.flatMap { id, layout -> [Finding] in
                guard case .known(let descriptor) = layout else { return [] }
                let choice = LayoutChoice(.full(descriptor))
                return lint.findings(in: choice.expanded(at: 0)).map { $0.moved(below: location.appending(id.text)) }
            }
    }
}

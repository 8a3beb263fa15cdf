internal import Arguments
import Host
internal import JSON
internal import Layout
internal import Security

/// `vitrine layout validate`: the issues of a document on its own.
struct ValidateCommand {
    let console: Console

    var command: Command {
        Command(
            "validate", "Check a layout file",
            discussion: """
                Prints each error with its line, JSON Pointer and code, and exits with 5 if there is an error. To check a valid layout on \
                every screen, use vitrine layout lint.
                """,
            examples: [
                Example("vitrine layout validate mine.json", "Check a file."),
                Example("vitrine layout validate -o json - < mine.json", "Print the errors as JSON."),
            ],
            arguments: [LayoutSource.file], options: [OutputFormat.option]
        ) { invocation in
            let source = LayoutSource(name: invocation[LayoutSource.file])
            let isTable = invocation[OutputFormat.option] == .table
            do {
                let document = try source.document()
                if isTable {
                    try console.print("\(source.title): valid, \(document.summary)\n")
                } else {
                    try console.printJSON(ValidationResult(document))
                }
                return .ok
            } catch let error as InvalidLayoutError {
                if isTable { return error.printError(on: console) }
                try console.printJSON(ValidationResult(error.error))
                return .invalid
            } catch let unreadable as UnreadableDocument {
                return unreadable.printError(on: console)
            }
        }
    }
}

private struct ValidationResult: JSONObjectEncodable {
    let ids: [LayoutID]
    let error: JSONError?

    init(_ document: LayoutDocument) {
        ids = document.ids
        error = nil
    }

    init(_ error: JSONError) {
        ids = []
        self.error = error
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("valid", error == nil)
        json.member("ids", ids, unless: [])
        guard let error else { return }
        json.member("errors", error.issues.map(ReportedIssue.init))
        json.member("omitted", error.omitted, unless: 0)
    }
}

private struct ReportedIssue: JSONObjectEncodable {
    let issue: JSONIssue

    func encodeMembers(to json: inout JSONWriter) {
        json.member("code", issue.code.rawValue)
        json.member("pointer", issue.pointer.description)
        json.member("line", issue.position.line)
        json.member("column", issue.position.column)
        json.member("message", issue.message)
        json.member("hint", issue.hint)
    }
}

extension LayoutDocument {
    fileprivate var ids: [LayoutID] {
        var table = LayoutTable()
        func id(_ choice: LayoutChoice, _ index: Int) -> LayoutID {
            choice.expanded(at: index).published(into: &table) { Digest.sha256($0) }.layout
        }
        return switch self {
        case .choice(let choice): [id(choice, 0)]
        case .request(let request): request.layouts.enumerated().map { id($0.element, $0.offset) }
        case .page(let page): page.layouts.layouts.keys.sorted()
        }
    }

    fileprivate var summary: String {
        switch self {
        case .choice(let choice):
            let kind = choice.expanded(at: 0).layout.family.map { "a \($0.kind.rawValue)" } ?? "a layout"
            return "\(kind) with the ID \(ids.map(\.text).joined(separator: ", "))"
        case .request(let request): return "a page of \(Self.sections(request.itemCounts.count)) to solve"
        case .page(let page):
            let layouts = page.layouts.layouts.count
            return "a page of \(Self.sections(page.sections.count)) with \(layouts == 1 ? "1 layout" : "\(layouts) layouts")"
        }
    }

    private static func sections(_ count: Int) -> String { count == 1 ? "1 section" : "\(count) sections" }
}

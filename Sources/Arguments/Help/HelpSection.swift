/// One part of a help page, before it is laid out.
struct HelpSection {
    enum Body {
        case examples([Example])
        case usage([String])
        case paragraphs([String])
        case rows([Row])
    }

    /// A name on the left and what it means on the right.
    struct Row {
        let name: String
        let meaning: String
    }

    /// Nil for text that explains itself.
    let title: String?
    let body: Body

    var rows: [Row] {
        if case .rows(let rows) = body { return rows }
        return []
    }

    var isEmpty: Bool {
        switch body {
        case .examples(let examples): examples.isEmpty
        case .usage(let lines): lines.isEmpty
        case .paragraphs(let paragraphs): paragraphs.isEmpty
        case .rows(let rows): rows.isEmpty
        }
    }
}

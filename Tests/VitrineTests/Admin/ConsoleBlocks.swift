/// The commands of a document and their expected output, from its code blocks marked `console`.
struct ConsoleBlocks {
    struct Step: Sendable {
        /// The command as a shell reads it, possibly in several lines.
        let command: String
        /// The lines after the command, up to the next command or the end of its block.
        var output: [Substring]
        /// The range of the output among the lines of the document.
        let lines: Range<Int>
        /// The indentation of the block, which commands and output do not have.
        let indentation: Int
        /// The line number of the command in the document, from 1.
        let line: Int
    }

    private let lines: [Substring]
    let steps: [Step]

    init(_ document: String) {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        var steps: [Step] = []
        var position = 0
        var indentation = 0
        var isInside = false
        func text(_ position: Int) -> Substring { lines[position].dropFirst(min(indentation, lines[position].indentation)) }
        while position < lines.count {
            if lines[position].dropFirst(lines[position].indentation).hasPrefix("```") {
                if !isInside { indentation = lines[position].indentation }
                isInside = text(position) == "```console"
            } else if isInside, text(position).hasPrefix("$ ") {
                let line = position + 1
                var command = String(text(position).dropFirst(2))
                while command.hasSuffix("\\"), position + 1 < lines.count {
                    position += 1
                    command += "\n\(text(position))"
                }
                let start = position + 1
                let end = (start..<lines.count).first { text($0).hasPrefix("$ ") || text($0).hasPrefix("```") } ?? lines.count
                let output = (start..<end).map(text)
                steps.append(Step(command: command, output: output, lines: start..<end, indentation: indentation, line: line))
                position = end - 1
            }
            position += 1
        }
        self.lines = lines
        self.steps = steps
    }

    /// Returns the document with other outputs, one for each step.
    func document(with outputs: [[Substring]]) -> String {
        var lines = lines
        for (step, output) in zip(steps, outputs).reversed() {
            let margin = String(repeating: " ", count: step.indentation)
            lines.replaceSubrange(step.lines, with: output.map { $0.isEmpty ? $0 : Substring(margin + $0) })
        }
        return lines.joined(separator: "\n")
    }
}

extension Substring {
    fileprivate var indentation: Int { prefix { $0 == " " }.count }
}

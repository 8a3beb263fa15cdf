/// The commands of a document and their expected output, from its code blocks marked `console`.
struct ConsoleBlocks {
    struct Step: Sendable {
        /// The command as a shell reads it, possibly in several lines.
        let command: String
        /// The lines after the command, up to the next command or the end of its block.
        var output: [Substring]
        /// The range of the output among the lines of the document.
        let lines: Range<Int>
        /// The line number of the command in the document, from 1.
        let line: Int
    }

    private var lines: [Substring]
    let steps: [Step]

    init(_ document: String) {
        lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        var steps: [Step] = []
        var position = 0
        var isInside = false
        while position < lines.count {
            if lines[position].hasPrefix("```") {
                isInside = lines[position] == "```console"
            } else if isInside, lines[position].hasPrefix("$ ") {
                let line = position + 1
                var command = String(lines[position].dropFirst(2))
                while command.hasSuffix("\\"), position + 1 < lines.count {
                    position += 1
                    command += "\n\(lines[position])"
                }
                let start = position + 1
                let end = lines[start...].firstIndex { $0.hasPrefix("$ ") || $0.hasPrefix("```") } ?? lines.count
                steps.append(Step(command: command, output: Array(lines[start..<end]), lines: start..<end, line: line))
                position = end - 1
            }
            position += 1
        }
        self.steps = steps
    }

    /// Returns the document with other outputs, one for each step.
    func document(with outputs: [[Substring]]) -> String {
        var lines = lines
        for (step, output) in zip(steps, outputs).reversed() { lines.replaceSubrange(step.lines, with: output) }
        return lines.joined(separator: "\n")
    }
}

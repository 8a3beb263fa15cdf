import Host
import TestSupport
import Testing

@Suite("The tutorial of docs/tutorial.md", .serialized, .onOwnThread)
struct TutorialTests {
    @Test("The tutorial shows the output of its commands, run in order from an empty folder; RECORD_GOLDENS=1 records the output")
    func tutorial() throws {
        let path = Path.join(Path.parent(of: #filePath), "../../../docs/tutorial.md")
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        let blocks = ConsoleBlocks(text)
        #expect(blocks.steps.count > 20)
        let session = try TutorialSession()
        var outputs: [[Substring]] = []
        do {
            for step in blocks.steps { outputs.append(try output(of: step, at: session)) }
        } catch {
            // The servers are stopped in any case.
            session.end()
            throw error
        }
        session.end()
        let isRecorded = zip(blocks.steps, outputs).map { step, output in Self.masked(output) == Self.masked(step.output) }
        guard isRecorded.contains(false) else { return }
        guard SystemInfo.environment["RECORD_GOLDENS"] == "1" else {
            for (index, step) in blocks.steps.enumerated() where !isRecorded[index] {
                Issue.record(
                    """
                    \(Self.location(of: step))
                    --- the document has
                    \(Self.masked(step.output))
                    --- it prints
                    \(Self.masked(outputs[index]))
                    """)
            }
            return
        }
        // All times must be of the same run, because the reader compares them. The other lines can be edited by hand.
        let recorded = blocks.steps.indices.map { index in
            isRecorded[index] && !TutorialSession.hasTimes(outputs[index]) ? blocks.steps[index].output : outputs[index]
        }
        try Descriptor(opening: path, .replace).write(Array(blocks.document(with: recorded).utf8), subject: path)
    }

    private func output(of step: ConsoleBlocks.Step, at session: TutorialSession) throws -> [Substring] {
        let result = try session.run(step.command)
        #expect(result.isSuccess, "\(Self.location(of: step))\n\(result.output)")
        return result.output.isEmpty ? [] : result.output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func location(of step: ConsoleBlocks.Step) -> String { "docs/tutorial.md:\(step.line): $ \(step.command)" }

    private static func masked(_ lines: [Substring]) -> String { TutorialSession.masked(lines.joined(separator: "\n")) }
}

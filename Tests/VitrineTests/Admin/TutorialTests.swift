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
            for step in blocks.steps { outputs.append(try expect(step, at: session)) }
        } catch {
            // The servers are stopped in any case.
            session.end()
            throw error
        }
        session.end()
        guard SystemInfo.environment["RECORD_GOLDENS"] == "1" else { return }
        let recorded = blocks.document(with: outputs)
        if recorded != text { try Descriptor(opening: path, .replace).write(Array(recorded.utf8), subject: path) }
    }

    /// Returns the text of the document if the output differs only in what changes with each run.
    private func expect(_ step: ConsoleBlocks.Step, at session: TutorialSession) throws -> [Substring] {
        let result = try session.run(step.command)
        let (printed, written) = (TutorialSession.masked(result.output), TutorialSession.masked(step.output.joined(separator: "\n")))
        let location = "docs/tutorial.md:\(step.line): $ \(step.command)"
        #expect(result.isSuccess, "\(location)\n\(result.output)")
        if printed == written { return step.output }
        let lines = result.output.isEmpty ? [] : result.output.split(separator: "\n", omittingEmptySubsequences: false)
        if SystemInfo.environment["RECORD_GOLDENS"] != "1" {
            Issue.record("\(location)\n--- the document has\n\(written)\n--- it prints\n\(printed)")
        }
        return lines
    }
}

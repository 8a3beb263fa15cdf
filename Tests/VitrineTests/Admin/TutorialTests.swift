import Host
import TestSupport
import Testing

/// A document with console blocks, which are run in order from an empty folder.
struct Guide: Sendable, CustomTestStringConvertible {
    let path: String
    /// The command that starts the server, if the document does not start it.
    let start: String?
    /// The least number of commands that the document has.
    let least: Int

    var testDescription: String { path }

    static let all = [
        Guide(path: "README.md", start: "vitrine dev", least: 3), Guide(path: "docs/tutorial.md", start: nil, least: 20),
        Guide(path: "docs/curating.md", start: "vitrine dev", least: 25),
    ]
}

@Suite("The guides", .serialized, .onOwnThread)
struct TutorialTests {
    @Test(
        "A guide shows the output of its commands, run in order from an empty folder; RECORD_GOLDENS=1 records the output",
        arguments: Guide.all)
    func outputs(guide: Guide) throws {
        let path = Path.join(Path.parent(of: #filePath), "../../../\(guide.path)")
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        let blocks = ConsoleBlocks(text)
        #expect(blocks.steps.count >= guide.least)
        let session = try TutorialSession()
        var outputs: [[Substring]] = []
        do {
            if let start = guide.start { _ = try session.run(start) }
            for step in blocks.steps { outputs.append(try output(of: step, in: guide, at: session)) }
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
                    \(Self.location(of: step, in: guide))
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

    private func output(of step: ConsoleBlocks.Step, in guide: Guide, at session: TutorialSession) throws -> [Substring] {
        let result = try session.run(step.command, confirming: step.output.contains { $0.hasSuffix("[y/N] y") })
        #expect(result.isSuccess, "\(Self.location(of: step, in: guide))\n\(result.output)")
        return result.output.isEmpty ? [] : result.output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func location(of step: ConsoleBlocks.Step, in guide: Guide) -> String {
        "\(guide.path):\(step.line): $ \(step.command)"
    }

    private static func masked(_ lines: [Substring]) -> String { TutorialSession.masked(lines.joined(separator: "\n")) }
}

import Host
import Testing

@Suite("The help of commands that look and publish")
struct PublishingHelpTests {
    @Test(
        "opens with what it is for, and is what it was",
        arguments: [
            "publish", "rollback", "preview", "validate", "rev", "rev ls", "rev show", "rev diff", "schedule", "schedule ls",
            "schedule cancel",
            "section explain",
        ])
    func help(command: String) throws {
        let result = try Vitrine().run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(result.status == .code(0) && result.errors.isEmpty)
        try CuratingGolden.expect(result.output, is: "help-\(command.replacing(" ", with: "-")).txt", masks: false)
    }
}

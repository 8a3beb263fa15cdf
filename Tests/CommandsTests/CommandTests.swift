import Commands
import Testing

@Suite("A command")
struct CommandTests {
    private static let rev = Option("rev", .integer(in: 1...), "The revision.")
    private static let feed = Operand("FEED", .text, "The feed.")
    private static let root = Command(
        "vitrine", "Runs the shop.",
        subcommands: [Command("publish", "Publishes a revision.", operands: [feed], options: [rev]) { _ in .ok }])

    @Test("gives its closure the values that were typed")
    func run() async throws {
        guard case .run(let run, let invocation) = Self.root.outcome(of: ["publish", "today", "--rev=12"]) else {
            Issue.record("not run")
            return
        }
        #expect(invocation[Self.rev] == 12)
        #expect(invocation[Self.feed] == "today")
        #expect(invocation.source(of: Self.rev) == .flag)
        #expect(try await run(invocation) == .ok)
    }
}

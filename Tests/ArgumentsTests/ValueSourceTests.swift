import Arguments
import Testing

@Suite("The source of a value")
struct ValueSourceTests {
    @Test("A flag overrides the environment, and the environment overrides the default")
    func precedence() throws {
        let environment = ["VITRINE_TIMEOUT": "2s"]
        let typed = try invocation(["publish", "a", "--timeout", "1s"], environment)
        #expect(typed[Site.timeout] == .seconds(1))
        #expect(typed.source(of: Site.timeout) == .flag)
        let inherited = try invocation(["publish", "a"], environment)
        #expect(inherited[Site.timeout] == .seconds(2))
        #expect(inherited.source(of: Site.timeout) == .environment("VITRINE_TIMEOUT"))
        let bare = try invocation(["publish", "a"], ["VITRINE_TIMEOUT": ""])
        #expect(bare[Site.timeout] == .seconds(30))
        #expect(bare.source(of: Site.timeout) == .default)
    }

    @Test("The environment can set a flag and a required option")
    func environment() throws {
        #expect(try invocation(["feed", "ls"], ["VITRINE_VERBOSE": "yes"])[Site.verbose])
        #expect(try !invocation(["feed", "ls"], ["VITRINE_VERBOSE": "0"])[Site.verbose])
        #expect(try invocation(["promote", "a"], ["VITRINE_FROM": "staging"])[Site.source] == "staging")
        #expect(throws: NoInvocation.self) { try invocation(["feed", "ls"], ["VITRINE_VERBOSE": "maybe"]) }
    }

    @Test("Help, the manual and completion ignore the environment, even if it is invalid")
    func wrongEnvironment() {
        for line in ["help", "man", "version", "completion bash", "complete bash -- : vitrine", "feed --help"] {
            let arguments = line.split(separator: " ").map(String.init)
            #expect(!Site.outline(arguments, environment: ["VITRINE_OUTPUT": "bogus"]).hasPrefix("usage"))
        }
    }

    @Test("A deferred option is left to the module that owns it")
    func deferred() throws {
        let typed = try invocation(["serve", "--listen=:80", "--no-compress"], ["VITRINE_LOG_LEVEL": "bogus"])
        #expect(typed.flagText("listen") == ":80")
        #expect(typed.flagText("compress") == "false")
        #expect(typed.flagText("log-level") == nil)
    }

    @Test("A typed default is distinguished from a missing value", arguments: [(["-o", "table"], ValueSource.flag), ([], .default)])
    func typedDefault(arguments: [String], source: ValueSource) throws {
        #expect(try invocation(["feed", "ls"] + arguments, [:]).source(of: Site.output) == source)
    }

    private func invocation(_ arguments: [String], _ environment: [String: String]) throws -> Invocation {
        guard case .run(_, let invocation) = Site.root.outcome(of: arguments, environment: environment) else { throw NoInvocation() }
        return invocation
    }

    private struct NoInvocation: Error {}
}

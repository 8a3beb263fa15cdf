import Arguments
import Settings
import TestSupport
import Testing

@Suite("The declarations of settings")
struct DeclarationTests {
    @Test("The declarations make valid flags of a command")
    func flags() throws {
        let serve = Command("serve", "Serves.", groups: [Settings.flagGroup]) { _ in .ok }
        #expect(serve.declarationIssues.isEmpty)
        guard case .text(let help) = serve.outcome(of: ["--help"]) else {
            Issue.record("no help")
            return
        }
        #expect(try Golden("help.txt").text(recording: help) == help)
    }

    @Test("Each setting has unique spellings and a full sentence as its meaning")
    func uniqueness() {
        let declarations = Settings.declarations
        #expect(Set(declarations.map(\.name)).count == declarations.count)
        #expect(Set(declarations.map(\.name.flag)).count == declarations.count)
        #expect(Set(declarations.map(\.name.variable)).count == declarations.count)
        #expect(declarations.allSatisfy { $0.meaning.hasSuffix(".") && !$0.displayedDefault.isEmpty })
    }

    @Test("The declarations make the settings table of docs/settings.md")
    func markdown() throws {
        let text = Settings.settingsTable
        #expect(try Golden("settings.md").text(recording: text) == text)
    }

    @Test("Settings are read from a command line")
    func commandLine() throws {
        let serve = Command("serve", "Serves.", groups: [Settings.flagGroup]) { _ in .ok }
        guard case .run(_, let invocation) = serve.outcome(of: ["--event-loops=3", "--timeouts-idle", "1m"]) else {
            Issue.record("not understood")
            return
        }
        let sources = SettingsSources(flagText: invocation.flagText, environment: [:]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "")
        }
        let settings = try Settings.load(from: sources).settings
        #expect(settings.eventLoops == 3)
        #expect(settings.timeouts.idle == .seconds(60))
    }
}

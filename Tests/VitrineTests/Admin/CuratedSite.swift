import Host
import JSON
import TestSupport
import Testing

@testable import CLI

/// A `vitrine dev` with the sample catalog, and commands that call it with a token.
struct CuratedSite {
    let dev: RunningDev
    /// The URL of the server.
    let server: String
    private let token: String

    private var vitrine: Vitrine { dev.vitrine }

    /// The variables with which a command finds the server and is authenticated.
    var variables: [String: String] { ["VITRINE_SERVER": server, "VITRINE_TOKEN": token] }

    /// Starts a server with a token that allows everything except operating the server, and stops it after the body.
    static func with(scope: String = "publish", _ body: (CuratedSite) throws -> Void) throws {
        let vitrine = try Vitrine()
        try RunningDev.with(vitrine) { dev in
            let log = try vitrine.text("\(vitrine.folder)/dev.errors")
            let server = String(try #require(log.firstMatch(of: #/"addresses":\["(http:[^"]+)"\]/#)?.1))
            let made = try vitrine.run(["token", "create", "--name", "tester", "--scope", scope])
            try body(CuratedSite(dev: dev, server: server, token: String(made.output.dropLast())))
        }
    }

    /// Runs a command without a terminal and with empty standard input.
    func run(_ arguments: String..., variables: [String: String] = [:]) throws -> Vitrine.Result {
        try run(arguments: arguments, variables: variables)
    }

    func run(arguments: [String], variables: [String: String] = [:]) throws -> Vitrine.Result {
        try vitrine.run(arguments, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN": token].merging(variables) { $1 })
    }

    /// Returns the output of a command that must succeed.
    func output(_ arguments: String...) throws -> String {
        let result = try vitrine.run(arguments, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN": token])
        #expect(result.status == .code(0), "\(arguments): \(result.errors)")
        return result.output
    }

    /// Returns the impression of the page `today`, which the server renders soon after its start.
    func impression() throws -> String {
        let page = ["api", "/v1/us/feeds/today?locale=en"]
        try vitrine.wait { try run(arguments: page).status == .code(0) }
        let document = try JSONDocument(parsing: Array(run(arguments: page).output.utf8), limits: .ownOutput)
        return try #require(document.root["impression"]?.string)
    }

    func json(_ arguments: String...) throws -> JSONNode {
        let result = try vitrine.run(arguments + ["-o", "json"], variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN": token])
        #expect(result.status == .code(0), "\(arguments): \(result.errors)")
        return try JSONDocument(parsing: Array(result.output.utf8)).root
    }
}

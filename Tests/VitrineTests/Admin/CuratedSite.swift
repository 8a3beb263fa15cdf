import Host
import JSON
import TestSupport
import Testing

/// A `vitrine dev` with the sample catalog, and commands that ask it with a token.
struct CuratedSite {
    let dev: RunningDev
    /// The words that lead a command to it.
    let server: String
    private let token: String

    private var vitrine: Vitrine { dev.vitrine }

    /// By which a command finds the server and is let in.
    var variables: [String: String] { ["VITRINE_SERVER": server, "VITRINE_TOKEN": token] }

    /// Starts one with the token of somebody who may do everything but look after the server, and ends it behind the body.
    static func with(scope: String = "publish", _ body: (CuratedSite) throws -> Void) throws {
        let vitrine = try Vitrine()
        try RunningDev.with(vitrine) { dev in
            let log = try vitrine.text("\(vitrine.folder)/dev.errors")
            let server = String(try #require(log.firstMatch(of: #/"addresses":\["(http:[^"]+)"\]/#)?.1))
            let made = try vitrine.run(["token", "create", "--name", "tester", "--scope", scope])
            try body(CuratedSite(dev: dev, server: server, token: String(made.output.dropLast())))
        }
    }

    /// Runs a command without a terminal and with nothing on standard input.
    func run(_ words: String..., variables: [String: String] = [:]) throws -> Vitrine.Result {
        try run(words: words, variables: variables)
    }

    func run(words: [String], variables: [String: String] = [:]) throws -> Vitrine.Result {
        try vitrine.run(words, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN": token].merging(variables) { $1 })
    }

    /// What a command prints that has to succeed.
    func output(_ words: String...) throws -> String {
        let result = try vitrine.run(words, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN": token])
        #expect(result.status == .code(0), "\(words): \(result.errors)")
        return result.output
    }

    func json(_ words: String...) throws -> JSONNode {
        let result = try vitrine.run(words + ["-o", "json"], variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN": token])
        #expect(result.status == .code(0), "\(words): \(result.errors)")
        return try JSONDocument(parsing: Array(result.output.utf8)).root
    }
}

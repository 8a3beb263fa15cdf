import Host
import TestSupport
import Testing

/// A `vitrine dev` that is up, for tests that need a server and its databases.
struct RunningDev {
    let vitrine: Vitrine
    let url: String

    /// Starts dev in the folder of `vitrine` with a copy of the prepared site, and stops it after the body.
    static func with(_ vitrine: Vitrine, _ body: (RunningDev) throws -> Void) throws {
        try PreparedSite.copy(to: vitrine.folder)
        try withNew(vitrine, body)
    }

    /// Starts dev and lets it create everything that is missing.
    static func withNew(_ vitrine: Vitrine, _ body: (RunningDev) throws -> Void) throws {
        let log = "\(vitrine.folder)/dev"
        var child = try vitrine.start(["dev", "--listen", "127.0.0.1:0"], output: log)
        try vitrine.wait(for: "dev.ready", &child, "\(log).errors")
        let url = try vitrine.run(["db", "url"]).output.split(separator: "\n").first.map(String.init)
        defer {
            do {
                try RunningProcess.send(.interrupt, to: child.id)
                #expect(try vitrine.end(of: &child) == .code(0))
            } catch {
                Issue.record(error)
            }
        }
        try body(RunningDev(vitrine: vitrine, url: try #require(url)))
    }

    /// Returns the log.
    func log() throws -> String { try vitrine.text("\(vitrine.folder)/dev.errors") }

    /// Returns the variables that direct a program to a separate database, with a password that the server does not request.
    func variables(for database: String) -> [String: String] {
        ["VITRINE_DATABASE_URL": url.replacing("postgresql:///vitrine?", with: "postgresql://vitrine:hunter2@/\(database)?")]
    }

    func create(_ database: String) throws -> [String: String] {
        try send("vitrine", "CREATE DATABASE \(database) TEMPLATE template0")
        return variables(for: database)
    }

    /// Runs SQL as an operator does, and returns its output.
    @discardableResult
    func send(_ database: String, _ sql: String) throws -> String {
        let result = try vitrine.run(["db", "psql", "--", "-XAtqc", sql], variables: variables(for: database))
        #expect(result.status == .code(0), "\(sql): \(result.errors)")
        return result.output
    }

    /// Returns the schema as `pg_dump` writes it, without rows, because the catalogs and the times of migrations differ.
    func dump(_ database: String) throws -> [Substring] {
        let url = url.replacing("/vitrine?", with: "/\(database)?")
        let arguments = ["--schema-only", "-d", url]
        let (text, status) = try ProcessLaunch("pg_dump", arguments).output(within: .seconds(60))
        #expect(status.isSuccess, "\(text)")
        // Newer releases write a random word on a separate line.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\\") }
    }
}

extension Vitrine {
    /// Waits until a file contains a text, while the program that writes it runs.
    func wait(for text: String, _ child: inout ChildProcess, _ file: String) throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if FileStatus(following: file) != nil, try self.text(file).contains(text) { return }
            if let status = child.ended() {
                Issue.record("it ended with \(status): \(try self.text(file))")
                return
            }
            _ = Signal.next(of: [], within: .milliseconds(10))
        }
        Issue.record("there was no \(text) within a minute")
    }

    /// Waits for at most a minute until a condition is true.
    func wait(until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isSo() {
            try #require(ContinuousClock.now < end)
            _ = Signal.next(of: [], within: .milliseconds(10))
        }
    }
}

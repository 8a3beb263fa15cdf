import EmbeddedPostgres
import Host
import TestSupport
import Testing

/// The session of a user who follows a guide: one folder, `vitrine` on the path, and a terminal for each server.
final class TutorialSession {
    private final class Server {
        var child: ChildProcess

        init(_ child: consuming ChildProcess) { self.child = child }
    }

    private let vitrine: Vitrine
    private let environment: [String: String]
    private var servers: [Server] = []
    /// The addresses of servers in the document, and the real ones.
    private var addresses: [(written: String, real: String)] = []

    init() throws {
        vitrine = try Vitrine()
        let programs = Path.parent(of: vitrine.path)
        environment = vitrine.environment.merging(["PATH": "\(programs):\(vitrine.environment["PATH"] ?? "/usr/bin:/bin")"]) { $1 }
    }

    /// Returns the output of a command as a terminal shows it, without the final newline. A server is up then, and keeps running. If
    /// `confirming` is true, the user types `y` at the prompt.
    func run(_ command: String, confirming: Bool = false) throws -> (output: String, isSuccess: Bool) {
        if command == "make dev" { return (try start("vitrine dev"), true) }
        if command.hasPrefix("vitrine dev") { return (try start(command), true) }
        var command = command
        for address in addresses { command = command.replacing(address.written, with: address.real) }
        let (text, status) = try (confirming ? terminal(command) : shell("{ \(command)\n} 2>&1")).output(within: .seconds(60))
        return (written(text.replacing("\r\n", with: "\n")), status.isSuccess)
    }

    private func shell(_ command: String, _ variables: [String: String] = [:]) -> ProcessLaunch {
        let environment = environment.merging(variables) { $1 }
        return ProcessLaunch("sh", ["-c", "cd \(vitrine.folder) && \(command)"], environment: environment, isDetached: true)
    }

    /// Returns the launch of a command in a terminal, in which `y` is typed after the prompt.
    private func terminal(_ command: String) -> ProcessLaunch {
        let record = "\(vitrine.folder)/output/terminal"
        let waits = "i=0; until grep -qs y/N \(record) || [ $((i+=1)) -gt 1000 ]; do sleep 0.02; done"
        let script = #"script -qefc 'stty cols 200; eval "$COMMAND"'"#
        return shell("(\(waits); printf 'y\\n') | \(script) \(record)", ["COMMAND": command, "NO_COLOR": "1", "TERM": "xterm"])
    }

    /// Starts a server on a free port, and returns its screen.
    private func start(_ command: String) throws -> String {
        let requested = command.firstMatch(of: /--listen ([0-9.:]+)/)?.1
        let output = requested.map { command.replacing("--listen \($0)", with: "") } ?? command
        let log = "\(vitrine.folder)/output/server-\(servers.count)"
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        let server = Server(
            try shell("exec \(output) --listen 127.0.0.1:0 --log-format text 2>\(log)").start(input: nothing, output: nothing))
        servers.append(server)
        try vitrine.wait(for: "Press Ctrl-C", &server.child, log)
        // No user types as fast as the first pages are published.
        try vitrine.wait(for: "sequencer.drained", &server.child, log)
        let text = try vitrine.text(log)
        let screen = try #require(text.firstMatch(of: /(?s)\n\n(  Vitrine .*Press Ctrl-C[^\n]*)\n/)?.1)
        let real = try #require(screen.firstMatch(of: /HTTP +http:\/\/([0-9.:]+)/)?.1)
        addresses.append((written: String(requested ?? "127.0.0.1:8080"), real: String(real)))
        return written(String(screen))
    }

    /// Returns the text as it would be with the document's ports and a user's own folder.
    private func written(_ text: String) -> String {
        var text = text
        for address in addresses { text = text.replacing(address.real, with: address.written) }
        text = text.replacing("\(vitrine.folder)/configuration", with: "~/.config")
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// A time of the run. Times in the years 2031 and 2032 come from the document.
    private static var time: some RegexComponent { #/20(?!3[12])\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/# }

    static func hasTimes(_ lines: [Substring]) -> Bool { lines.contains { $0.contains(time) } }

    /// Masks the text that differs between runs.
    static func masked(_ text: String) -> String {
        var text = text.replacing(time, with: "TIME")
        text = text.replacing(/\b[0-9a-f]{64}\b/, with: "HASH")
        text = text.replacing(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/, with: "ID")
        text = text.replacing(/vtr_[0-9a-z]+/, with: "TOKEN")
        text = text.replacing(/PostgreSQL [0-9.]+/, with: "PostgreSQL VERSION")
        text = text.replacing(/\([a-z ]+ in [0-9.]+ s\)/, with: "(STARTED)")
        // The tutorial names the program by its path in the repository.
        text = text.replacing(".build/debug/vitrine", with: "vitrine")
        // The width of a column depends on the digits of the port.
        return text.contains("http://") ? text.replacing(#/  +/#, with: "  ") : text
    }

    /// Stops the servers as Ctrl-C does in each terminal.
    func end() {
        for server in servers {
            do {
                try RunningProcess.send(.interrupt, to: server.child.id)
                #expect(try vitrine.end(of: &server.child) == .code(0))
            } catch {
                Issue.record(error)
            }
        }
        servers = []
    }
}

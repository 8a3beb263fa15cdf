import Host
import TestSupport
import Testing

/// A `vitrine serve` that listens on a port chosen by the system.
struct RunningServe: ~Copyable {
    let vitrine: Vitrine
    let port: Int
    let log: String
    var child: ChildProcess

    init(_ vitrine: Vitrine, listen places: String = "127.0.0.1:0", _ arguments: [String] = [], variables: [String: String]) throws {
        let output = "\(vitrine.folder)/serve-\(UInt32.random(in: .min ... .max))"
        let child = try vitrine.start(["serve", "--listen", places] + arguments, variables, output: output)
        try self.init(vitrine, child, output: output)
    }

    /// Creates the value for a server that was started by other means.
    init(_ vitrine: Vitrine, _ child: consuming ChildProcess, output: String) throws {
        self.vitrine = vitrine
        self.child = child
        log = "\(output).errors"
        try vitrine.wait(for: "server.listening", &self.child, log)
        let ports = try vitrine.text(log).matches(of: #/"ports":\["([0-9]+)"\]/#).compactMap { Int($0.1) }
        port = try #require(ports.first)
    }

    func text() throws -> String { try vitrine.text(log) }

    /// Returns the output of `curl` for a path, followed by the status code.
    func send(_ path: String, _ arguments: String..., scheme: String = "http") throws -> String {
        try send(path, arguments, scheme: scheme)
    }

    func send(_ path: String, _ arguments: [String], scheme: String = "http") throws -> String {
        let arguments = ["-sS", "--max-time", "20", "-w", "%{http_code}"] + arguments
        return try ProcessLaunch("curl", arguments + ["\(scheme)://127.0.0.1:\(port)\(path)"]).output(within: .seconds(30)).text
    }

    /// Waits until a path returns a status.
    mutating func wait(for status: Int, of path: String) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !send(path).hasSuffix("\(status)") {
            try #require(child.ended() == nil && ContinuousClock.now < end, "\(path) is never \(status)")
            _ = Signal.next(of: [], within: .milliseconds(20))
        }
    }

    /// Sends the server a signal and waits until the log contains its effect.
    mutating func signal(_ signal: Signal, until text: String) throws {
        try RunningProcess.send(signal, to: child.id)
        try vitrine.wait(for: text, &child, log)
    }

    /// Stops the server as a service manager does.
    mutating func stop() throws {
        try RunningProcess.send(.terminate, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
        #expect(try text().contains("server.stopped"))
    }
}

import Host
import TestSupport
import Testing

/// The real program, run in a temporary folder with a clean environment.
final class Vitrine {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    let path: String
    let environment: [String: String]

    init() throws {
        temporary = try TemporaryFolder("program")
        try Files.makeDirectory("\(temporary.path)/output")
        path = try BuiltProgram.vitrine
        // The settings of the user who runs the tests are hidden.
        environment = SystemInfo.environment.filter { !$0.key.hasPrefix("VITRINE_") && !$0.key.hasPrefix("PG") }
            .merging(["XDG_CONFIG_HOME": "\(temporary.path)/configuration"]) { $1 }
    }

    /// Returns the launch of the program in its folder, where its default paths are not those of this repository.
    private func program(_ arguments: [String], _ variables: [String: String], output: String) -> ProcessLaunch {
        let command = "exec \"$@\" >\(output) 2>\(output).errors"
        let parameters = ["-c", "cd \(folder) && \(command)", "sh", path] + arguments
        var environment = environment.merging(variables) { $1 }
        // Every server needs keys to start.
        if arguments.first == "serve", environment["VITRINE_SYNC_KEYS"] == nil, environment["VITRINE_SYNC_KEYS_FILE"] == nil {
            environment["VITRINE_SYNC_KEYS"] = Self.syncKeys
        }
        return ProcessLaunch("sh", parameters, environment: environment, isDetached: true)
    }

    static let syncKeys = "1:" + String(repeating: "k", count: 43)

    struct Result {
        let status: ProcessStatus
        let output: String
        let errors: String
    }

    func run(_ arguments: [String], variables: [String: String] = [:]) throws -> Result {
        let output = "\(folder)/output/\(UInt32.random(in: .min ... .max))"
        var child = try start(arguments, variables, output: output)
        let status = try end(of: &child)
        return Result(status: status, output: try text(output), errors: try text("\(output).errors"))
    }

    func start(_ arguments: [String], _ variables: [String: String] = [:], output: String) throws -> ChildProcess {
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        return try program(arguments, variables, output: output).start(input: nothing, output: nothing)
    }

    /// Waits for the end of a program. A program that exceeds the limit is killed and fails the test.
    func end(of child: inout ChildProcess, within limit: Duration = .seconds(60)) throws -> ProcessStatus {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if let status = child.ended() { return status }
            _ = Signal.next(of: [], within: .milliseconds(5))
        }
        try RunningProcess.send(.kill, to: child.id)
        Issue.record("process \(child.id) did not end within \(limit)")
        return try child.wait()
    }

    func text(_ path: String) throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }

    func write(_ text: String, to name: String) throws -> String {
        let path = Path.join(folder, name)
        try Files.makeDirectory(Path.parent(of: path))
        try Files.replace(path, with: Array(text.utf8))
        return path
    }
}

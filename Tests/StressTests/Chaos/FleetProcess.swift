import Host
import TestSupport

/// A process of the program that is killed and restarted, used by one thread.
final class FleetProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let program: ProcessLaunch
    private let log: String
    private var child: ChildProcess?
    /// The port of a server, which changes with each start.
    private(set) var port = 0

    init(_ arguments: [String], _ variables: [String: String], log: String) throws {
        let environment = SystemInfo.environment.filter { !$0.key.hasPrefix("VITRINE_") && !$0.key.hasPrefix("PG") }
        program = ProcessLaunch(try BuiltProgram.vitrine, arguments, environment: environment.merging(variables) { $1 }, isDetached: true)
        self.log = log
        try start()
    }

    /// Migrates an empty database.
    static func migrate(_ site: StressSite) throws {
        let environment = SystemInfo.environment.merging(site.variables) { $1 }
        let (text, status) = try ProcessLaunch(try BuiltProgram.vitrine, ["db", "migrate"], environment: environment).output(
            within: .seconds(60))
        guard status.isSuccess else { throw Failure(description: text) }
    }

    /// The number of the process, or 0 if it has ended.
    var id: Int32 { child?.id ?? 0 }

    private var isServer: Bool { program.arguments.first == "serve" }

    /// Starts the process, and returns once a server listens.
    func start() throws {
        child = try program.start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: log, .replace))
        guard isServer else { return }
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let text = String(decoding: try Files.read(log), as: UTF8.self)
            if let match = text.firstMatch(of: #/"ports":\["([0-9]+)"\]/#), let port = Int(match.1) {
                self.port = port
                return
            }
            if child?.ended() != nil { break }
            _ = Signal.next(of: [], within: .milliseconds(10))
        }
        throw Failure(
            description: "\(program.arguments) does not listen: \(String(decoding: try Files.read(log).suffix(2_000), as: UTF8.self))")
    }

    /// Kills the process immediately.
    func kill() throws { try end(by: .kill) }

    /// Stops the process as a service manager does.
    func stop() throws { try end(by: .terminate) }

    private func end(by signal: Signal) throws {
        guard var child = child.take() else { return }
        try RunningProcess.send(signal, to: child.id)
        _ = try child.wait()
    }

    /// Returns a description of an unexpected end of the process, or nil.
    func failure() throws -> String? {
        guard let status = child?.ended() else { return nil }
        child = nil
        return "\(program.arguments) ended (\(status)): \(String(decoding: try Files.read(log).suffix(2_000), as: UTF8.self))"
    }
}

import Foundation
import Host

/// A load that is under way.
final class RunningLoad {
    private let load: SoakLoad
    private let output: String
    private var child: ChildProcess

    /// What it prints goes to a file, and the statuses to another one.
    init(_ load: SoakLoad, _ server: VitrineServer, seconds: Int, output: String) throws {
        self.load = load
        self.output = output
        child = try ProcessLaunch("h2load", load.words(server, seconds: seconds, log: "\(output).log")).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create))
    }

    func finish() throws -> SoakTally {
        _ = try child.wait()
        defer { removeFiles() }
        return try load.tally(
            output: String(contentsOfFile: output, encoding: .utf8), log: String(contentsOfFile: "\(output).log", encoding: .utf8))
    }

    /// Kills it in the middle of a request.
    func kill() throws {
        try RunningProcess.send(.kill, to: child.id)
        _ = try child.wait()
        removeFiles()
    }

    /// The logs of many rounds would fill the memory of the machine.
    private func removeFiles() {
        for file in [output, "\(output).log"] where Files.may(.read, file) {
            do { try Files.remove(file) } catch { print("\(file) stays: \(error)") }
        }
    }
}

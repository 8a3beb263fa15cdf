import Foundation
import Host

/// A load in progress.
final class RunningLoad {
    private let load: SoakLoad
    private let output: String
    private var child: ChildProcess

    /// Starts a load. Its output goes to a file, and the statuses go to another one.
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

    /// Kills the load in the middle of a request.
    func kill() throws {
        try RunningProcess.send(.kill, to: child.id)
        _ = try child.wait()
        removeFiles()
    }

    /// Removes the logs, which would fill the memory of the machine over many rounds.
    private func removeFiles() {
        for file in [output, "\(output).log"] where Files.may(.read, file) {
            do { try Files.remove(file) } catch { print("\(file) was not removed: \(error)") }
        }
    }
}

import Foundation
import Host

/// A load on its way.
final class RunningLoad {
    private let load: SoakLoad
    private let output: String
    private var child: ChildProcess

    /// What it prints goes to a file.
    init(_ load: SoakLoad, _ server: VitrineServer, seconds: Int, output: String) throws {
        self.load = load
        self.output = output
        child = try Program("h2load", load.words(server, seconds: seconds)).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create))
    }

    func finish() throws -> SoakLoad.Outcome {
        _ = try child.wait()
        return try load.outcome(String(contentsOfFile: output, encoding: .utf8))
    }

    /// In the middle of whatever it does.
    func kill() throws {
        try RunningProcess.send(.kill, to: child.id)
        _ = try child.wait()
    }
}

import Host
import TestDatabase

/// A test run that is killed while it has a server in the given folder.
enum AbandonedServer {
    static func run(in folder: String) throws {
        let server = try DisposableServer(in: folder)
        try withExtendedLifetime(server) { try RunningProcess.send(.kill, to: SystemInfo.processID) }
    }
}

import Host
import TestDatabase

/// A run of the tests that is killed while it has a server, in a folder that is given.
enum AbandonedServer {
    static func run(in folder: String) throws {
        let server = try DisposableServer(in: folder)
        try withExtendedLifetime(server) { try RunningProcess.send(.kill, to: SystemInfo.processID) }
    }
}

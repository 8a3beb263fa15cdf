import API
import HTTP
import HTTPMessages
import Host
import Postgres
import Settings

@testable import Server

/// A server that is stopped while a handler neither ends nor reacts to its cancellation.
enum StubbornHandler {
    /// Runs the server. If `holdsLoop` is true, the handler also blocks its event loop.
    static func run(holdsLoop: Bool) throws {
        let variables = ["VITRINE_LISTEN": "127.0.0.1:0", "VITRINE_LOG_FORMAT": "json"]
        let sources = SettingsSources(flagText: { _ in nil }, environment: variables) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
        let settings = try Settings.load(from: sources).settings
        let began = BlockingPromise<Void>()
        let forever = BlockingPromise<Void>()
        let route = Route(.get, "/stubborn") { context in
            context.later { _ in
                began.fulfill(())
                if holdsLoop { forever.wait() }
                while true { await Task.yield() }
            }
        }
        let log = ServeLog(try LogOutput(settings.log, isColored: false))
        guard let key = SyncKey("1:" + String(repeating: "k", count: SyncKey.fewestCharacters)) else { return }
        let server = try ServerRuntime(
            settings, DatabaseURL(parsing: "postgresql://127.0.0.1:9/shop"), keys: [key], environment: [:], routes: { _ in [route] }, log)
        let url = "\(server.addresses[0])/stubborn"
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        _ = try ProcessLaunch("curl", ["-s", "--max-time", "50", url]).start(input: nothing, output: nothing)
        began.wait()
        let isStopped = server.stop(within: .milliseconds(100))
        log.output.close()
        if !isStopped { SystemInfo.exitAtOnce(0) }
    }
}

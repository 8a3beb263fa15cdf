import API
import HTTP
import HTTPMessages
import Host
import Postgres
import Settings

@testable import Server

/// A server with one blocked event loop, which reports the stall, still looks for its database, and responds to operators.
enum HeldLoop {
    static func run() throws {
        let variables = [
            "VITRINE_LISTEN": "127.0.0.1:0", "VITRINE_OPERATIONS_LISTEN": "127.0.0.1:0", "VITRINE_LOG_FORMAT": "json",
            "VITRINE_EVENT_LOOPS": "1",
        ]
        let sources = SettingsSources(flagText: { _ in nil }, environment: variables) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
        let settings = try Settings.load(from: sources).settings
        let (began, gate) = (BlockingPromise<Void>(), BlockingPromise<Void>())
        let route = Route(.get, "/held") { context in
            context.later { _ in
                began.fulfill(())
                gate.wait()
                return Response(.ok)
            }
        }
        let log = ServeLog(try LogOutput(settings.log, isColored: false))
        guard let key = SyncKey("1:" + String(repeating: "k", count: SyncKey.fewestCharacters)) else { return }
        let server = try ServerRuntime(
            settings, DatabaseURL(parsing: "postgresql://127.0.0.1:9/shop"), keys: [key], environment: [:], routes: { _ in [route] }, log)
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        _ = try ProcessLaunch("curl", ["-s", "--max-time", "50", "\(server.addresses[0])/held"]).start(input: nothing, output: nothing)
        began.wait()
        let operations = server.operationsAddress ?? ""
        let known = ["-s", "--max-time", "20", "\(operations)/readyz"]
        let end = ContinuousClock.now + .seconds(50)
        while ContinuousClock.now < end, try !ProcessLaunch("curl", known).output(within: .seconds(30)).text.contains("does not respond") {
            _ = Signal.next(of: [], within: .milliseconds(20))
        }
        print(ContinuousClock.now < end ? "looked" : "not looked")
        for path in ["healthz", "readyz", "metrics"] {
            let words = [
                "-s", "-o", "/dev/null", "--max-time", "20", "-w", "\(path) %{http_code}\n", "\(operations)/\(path)",
            ]
            print(try ProcessLaunch("curl", words).output(within: .seconds(30)).text, terminator: "")
        }
        wait(until: ["http-0"], server)
        print("late")
        gate.fulfill(())
        wait(until: [], server)
        print("in time")
        _ = server.stop(within: .seconds(1))
        log.output.close()
    }

    /// Waits until the server reports the given late event loops. Running ones turn between two of many checks.
    private static func wait(until late: [String], _ server: ServerRuntime) {
        let end = ContinuousClock.now + .seconds(50)
        while ContinuousClock.now < end {
            _ = server.lateLoops()
            _ = Signal.next(of: [], within: .milliseconds(20))
            if server.lateLoops() == late { return }
        }
        print("expected \(late)")
    }
}

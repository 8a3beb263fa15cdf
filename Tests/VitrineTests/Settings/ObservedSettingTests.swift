import Host
import TestProxy
import TestSupport
import Testing

/// Three programs show all settings: a server, one that shares its port, and a worker.
@Suite("The settings of a running program", .serialized, .onOwnThread) struct ObservedSettingTests {
    private let vitrine: Vitrine
    private let database: SilentServer

    init() throws { (vitrine, database) = (try Vitrine(), try SilentServer()) }

    private var variables: [String: String] {
        [
            "VITRINE_DATABASE_URL": "postgresql://127.0.0.1:\(database.port)/shop",
            "VITRINE_SYNC_KEYS": "73:" + String(repeating: "k", count: 43),
        ]
    }

    private var socket: String { "\(vitrine.folder)/socket" }

    /// The settings of the first server, which come only from the file.
    private var file: String {
        """
        {
          "listen": ["127.0.0.1:0", "unix:\(socket)"], "operations": { "listen": "127.0.0.2:0" }, "sharePort": true,
          "trustedProxies": ["unix"], "eventLoops": 3,
          "tls": { "certificate": "\(vitrine.folder)/chain.pem", "key": "\(vitrine.folder)/key.pem" },
          "log": { "level": "debug" }, "limits": { "bodyBytes": 1999 },
          "timeouts": { "adminRequest": "1300ms", "shutdown": "7s", "request": "200ms", "connect": "30s" }
        }
        """
    }

    @Test("Running programs use the settings that they were given")
    func observed() throws {
        let files = ["-keyout", "\(vitrine.folder)/key.pem", "-out", "\(vitrine.folder)/chain.pem"]
        let arguments = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=reached"]
        #expect(try ProcessLaunch("openssl", arguments + files).output(within: .seconds(30)).status.isSuccess)
        let configuration = try vitrine.write(file, to: "settings/reached.json")
        let output = "\(vitrine.folder)/first"
        var first = try RunningServe(
            vitrine, vitrine.start(["serve", "--config", configuration], variables, output: output), output: output)
        let began = ContinuousClock.now
        let refused = try send(first.port, "/admin/v1/feeds", Self.token)
        let adminRequest = ContinuousClock.now - began
        #expect(refused.hasSuffix("503"), "\(refused)")
        let sharing = ["serve", "--share-port", "--listen", "127.0.0.1:\(first.port)", "--log-format", "text"]
        var second = try vitrine.start(sharing, variables, output: "\(vitrine.folder)/second")
        try vitrine.wait(for: "addresses=[127.0.0.1:\(first.port)]", &second, "\(vitrine.folder)/second.errors")
        try end(&second)
        var worker = try vitrine.start(
            ["worker", "--worker-listen", "unix:\(socket)-worker"], variables, output: "\(vitrine.folder)/worker")
        try vitrine.wait(for: "server.listening", &worker, "\(vitrine.folder)/worker.errors")
        let observed = try Observed(
            forwarded: curl(["--unix-socket", socket, "-k", "-H", "X-Forwarded-For: 203.0.113.7", "https://shop/healthz"]),
            metrics: send(first.port, "/metrics"), large: send(first.port, "/nothing", ["-d", String(repeating: "b", count: 2_000)]),
            small: send(first.port, "/nothing", ["-d", String(repeating: "b", count: 1_999)]),
            worker: curl(["--unix-socket", "\(socket)-worker", "http://shop/healthz"]), adminRequest: adminRequest)
        try end(&worker)
        try first.signal(.hangup, until: "sync.keys.reloaded")
        try first.stop()
        let (log, text) = (try first.text(), try vitrine.text("\(vitrine.folder)/second.errors"))
        for setting in ObservedSetting.allCases {
            let isVisible = observed.shows(setting, log, text)
            #expect(isVisible, "\(setting.rawValue): \(observed.adminRequest), \(log)")
        }
    }

    private static let token = ["-H", "Authorization: Bearer vtr_abcdefghij_\(String(repeating: "A", count: 43))"]

    private func send(_ port: Int, _ path: String, _ arguments: [String] = []) throws -> String {
        try curl(["-k"] + arguments + ["https://127.0.0.1:\(port)\(path)"])
    }

    private func curl(_ arguments: [String]) throws -> String {
        try ProcessLaunch("curl", ["-sS", "--max-time", "15", "-w", "%{http_code}"] + arguments).output(within: .seconds(30)).text
    }

    private func end(_ child: inout ChildProcess) throws {
        try RunningProcess.send(.terminate, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
    }
}

/// The responses of the programs.
private struct Observed {
    let forwarded: String
    let metrics: String
    let large: String
    let small: String
    let worker: String
    /// The time that a curator waited for a silent database.
    let adminRequest: Duration

    func shows(_ setting: ObservedSetting, _ log: String, _ text: String) -> Bool {
        switch setting {
        case .config, .listen, .certificate, .key: forwarded.hasSuffix("200")
        case .sharePort: text.contains("server listening")
        case .trustedProxies: log.contains(#""client":"203.0.113.7""#)
        case .eventLoops: metrics.contains(#"loop="http-2""#) && !metrics.contains(#"loop="http-3""#)
        case .operationsListen: log.contains(#""address":"127.0.0.2:"#) || log.contains(#""address":"http://127.0.0.2:"#)
        case .logFormat: log.hasPrefix("{") && !text.hasPrefix("{")
        case .logLevel: log.contains(#""level":"debug""#) && !text.contains("debug")
        case .workerListen: worker.hasSuffix("200")
        case .syncKeys: log.contains(#""keys":["73"]"#)
        case .adminRequest: adminRequest >= .milliseconds(1_300) && adminRequest < .seconds(15)
        case .shutdown: log.contains("server.stopping") && log.contains(#""timeout":7"#)
        case .bodyBytes: large.hasSuffix("413") && small.hasSuffix("404")
        }
    }
}

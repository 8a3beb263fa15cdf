import Arguments
import Postgres
import Settings
import Telemetry
import Testing

@Suite("A setting")
struct PrecedenceTests {
    private static let path = "config/vitrine.json"

    @Test("A setting has its default if no source has it")
    func defaults() throws {
        let settings = try Given().load()
        #expect(settings.databaseURL == nil)
        #expect(settings.listen == [.host("127.0.0.1", port: 8080)])
        #expect(settings.trustedProxies.isEmpty)
        #expect(settings.eventLoops == nil)
        #expect(settings.tls == nil)
        #expect(settings.postgres.socketDirectory == settings.postgres.directory)
        #expect(settings.timeouts.idle == .seconds(75))
        #expect(settings.limits.headerBytes == 16_384)
        #expect(settings.log.level == .info)
    }

    @Test(
        "A setting comes from the strongest source that has it",
        arguments: [
            (true, true, true, 1, "--event-loops"), (true, true, false, 1, "--event-loops"), (true, false, true, 1, "--event-loops"),
            (true, false, false, 1, "--event-loops"), (false, true, true, 2, "VITRINE_EVENT_LOOPS"),
            (false, true, false, 2, "VITRINE_EVENT_LOOPS"),
            (false, false, true, 3, "config/vitrine.json:1:16 (/eventLoops)"), (false, false, false, nil, "default"),
        ] as [(Bool, Bool, Bool, Int?, String)])
    func precedence(flag: Bool, variable: Bool, file: Bool, expected: Int?, location: String) throws {
        let given = Given(
            flags: flag ? ["event-loops": "1"] : [:], variables: variable ? ["VITRINE_EVENT_LOOPS": "2"] : [:],
            files: file ? [Self.path: #"{"eventLoops": 3}"#] : [:])
        #expect(try given.load().eventLoops == expected)
        #expect(try given.report().entries.first { $0.name == "eventLoops" }?.origin.description == location)
    }

    @Test("A flag is true or false, also in the file")
    func flags() throws {
        let file = [Self.path: #"{"sharePort": true}"#]
        #expect(try !Given().load().sharesPort)
        #expect(try Given(flags: ["share-port": "true"]).load().sharesPort)
        #expect(try Given(files: file).load().sharesPort)
        #expect(try !Given(variables: ["VITRINE_SHARE_PORT": "no"], files: file).load().sharesPort)
        #expect(Given(files: [Self.path: #"{"sharePort": 1}"#]).issues.first?.contains("expected true or false, found") == true)
    }

    @Test("A setting that is true by default is turned off by its flag with no-")
    func negatableFlag() throws {
        let off = Given(flags: ["sequencer": "false"], files: [Self.path: #"{"sequencer": true}"#])
        #expect(try Given().load().runsSequencer && !off.load().runsSequencer)
        #expect(try off.report().entries.first { $0.name == "sequencer" }?.origin.description == "--no-sequencer")
        #expect(try Given(flags: ["sequencer": "true"], variables: ["VITRINE_SEQUENCER": "false"]).load().runsSequencer)
        #expect(Settings.declarations.filter { $0.option.shape == .negatableFlag }.map(\.displayedFlag) == ["no-sequencer"])
    }

    @Test("Every spelling of a setting is derived from its dotted path")
    func spellings() {
        let name: SettingName = "limits.headerBytes"
        #expect(name.keys == ["limits", "headerBytes"])
        #expect(name.flag == "limits-header-bytes")
        #expect(name.variable == "VITRINE_LIMITS_HEADER_BYTES")
        #expect(name.fileVariable == "VITRINE_LIMITS_HEADER_BYTES_FILE")
    }

    @Test("An empty variable counts as absent")
    func emptyVariable() throws {
        let given = Given(variables: ["VITRINE_EVENT_LOOPS": "", "VITRINE_EVENT_LOPS": ""], files: [Self.path: #"{"eventLoops": 3}"#])
        #expect(try given.load().eventLoops == 3)
    }

    @Test("A list is an array in the file and separated by commas elsewhere")
    func lists() throws {
        let expected = [ListenAddress.anyHost(port: 80), .unix("/run/a,b.sock")]
        #expect(try Given(files: [Self.path: #"{"listen": ["*:80", "unix:/run/a,b.sock"]}"#]).load().listen == expected)
        #expect(try Given(flags: ["listen": "*:80, [::1]:81"]).load().listen == [.anyHost(port: 80), .host("::1", port: 81)])
        #expect(try Given(files: [Self.path: #"{"listen": "*:80"}"#]).load().listen == [.anyHost(port: 80)])
        let report = try Given(flags: ["trusted-proxies": "10.0.0.0/8, ::1,unix"]).report()
        #expect(report.entries.first { $0.name == "trustedProxies" }?.text == "10.0.0.0/8,::1,unix")
    }

    @Test("A secret comes from the file that a variable names, without its final newline")
    func secretFile() throws {
        let given = Given(variables: ["VITRINE_DATABASE_URL_FILE": "/run/url"], files: ["/run/url": "postgres://u:p@h/d\r\n"])
        #expect(try given.load().databaseURL?.exposed == "postgres://u:p@h/d")
        #expect(
            try given.report().entries.first { $0.name == "database.url" }?.origin.description == "VITRINE_DATABASE_URL_FILE (/run/url)")
    }

    @Test("Settings are read from the file that a flag or a variable names")
    func namedFile() throws {
        let files = ["a.json": #"{"eventLoops": 1}"#, "b.json": #"{"eventLoops": 2}"#]
        #expect(try Given(flags: ["config": "a.json"], variables: ["VITRINE_CONFIG": "b.json"], files: files).load().eventLoops == 1)
        #expect(try Given(variables: ["VITRINE_CONFIG": "b.json"], files: files).load().eventLoops == 2)
    }
}

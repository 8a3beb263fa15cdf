import Arguments
import Postgres
import Settings
import TestSupport
import Testing

@Suite("An issue of the settings")
struct SettingsErrorTests {
    @Test(
        "An issue of a flag or a variable states the expected value",
        arguments: [
            ("event-loops", "0", "expected auto or a whole number from 1 to 256, found '0'"),
            ("event-loops", "", "expected a value that is not empty"),
            ("event-loops", "99999999999999999999", "expected auto or a whole number from 1 to 256, found '99999999999999999999'"),
            ("event-loops", "atuo", "expected auto or a whole number from 1 to 256, found 'atuo'; did you mean 'auto'?"),
            ("log-format", "jsom", "expected auto or one of json, text, found 'jsom'; did you mean 'json'?"),
            ("log-level", "warn", "expected one of debug, info, warning, error, found 'warn'"),
            ("timeouts-idle", "75", "expected a duration like 500ms, 2s, 1m, 12h or 7d, found '75'"),
            ("timeouts-idle", "2h", "expected a duration from 10ms to 1h, found '2h'"),
            ("limits-header-bytes", "1e3", "expected a whole number from 1024 to 1048576, found '1e3'"),
            ("listen", "8080", "expected an address like 127.0.0.1:8080, [::1]:8080, *:8080 or unix:/run/vitrine.sock, found '8080'"),
            ("listen", "*:80,,*:81", "expected a value that is not empty"),
            (
                "trusted-proxies", "10.0.0.0/8,10.0.0.1/8",
                "expected unix, an address like 192.0.2.1 or ::1, or a network like 10.0.0.0/8, found '10.0.0.1/8'"
            ),
            ("tls-key", "https://example", "expected a path, found (a text that may hold a password)"),
            ("event-loops", "host=h password=x", "expected auto or a whole number from 1 to 256, found (a text that may hold a password)"),
            ("database-url", "nonsense", "expected a URL like postgresql://user@host:5432/database"),
        ])
    func values(flag: String, text: String, message: String) {
        #expect(Given(flags: [flag: text]).issues.contains("--\(flag): \(message)"))
        guard !text.isEmpty else { return }
        let variable = "VITRINE_" + flag.replacing("-", with: "_").uppercased()
        #expect(Given(variables: [variable: text]).issues.contains("\(variable): \(message)"))
    }

    @Test("A limit of all bodies below the limit of one body is reported")
    func bodyLimits() {
        let given = Given(flags: ["limits-body-bytes": "5000000", "limits-buffered-body-bytes": "4999999"])
        #expect(given.issues == ["expected limits.bufferedBodyBytes to be at least limits.bodyBytes, 5000000"])
        #expect(Given(flags: ["limits-body-bytes": "5000000", "limits-buffered-body-bytes": "5000000"]).issues.isEmpty)
    }

    @Test(
        "An issue of the file has a line, a column and a pointer",
        arguments: [
            (#"{"eventLoops": 0}"#, "1:16 (/eventLoops): expected auto or a whole number from 1 to 256, found '0'"),
            (#"{"eventLoops": 1.5}"#, "1:16 (/eventLoops): expected auto or a whole number from 1 to 256, found '1.5'"),
            (#"{"eventLoops": true}"#, "1:16 (/eventLoops): expected a number, found true or false"),
            (#"{"eventLoops": null}"#, "1:16 (/eventLoops): expected a number, found null"),
            (#"{"tls": {"key": 5}}"#, "1:17 (/tls/key): expected a string (FILE), found a number"),
            (#"{"timeouts": {"idle": 75}}"#, "1:23 (/timeouts/idle): expected a string (DURATION), found a number"),
            ("{\n  \"listen\": [\n    \"x:y\"]}", "3:5 (/listen/0): expected an address with a port from 0 to 65535 at its end"),
            (#"{"listen": [1]}"#, "1:13 (/listen/0): expected a string, found a number"),
            (#"{"listen": []}"#, "1:12 (/listen): expected at least one ADDRESS,…, found an empty array"),
            (#"{"listen": {}}"#, "1:12 (/listen): expected an array of strings, found an object"),
            (
                #"{"timeouts": 5}"#,
                "1:14 (/timeouts): expected an object with adminRequest, body, connect, headers, idle, linger, request, shutdown, statement, write, found a number"
            ),
            (#"{"timeouts": {"idel": "1s"}}"#, "1:15 (/timeouts/idel): unknown key; did you mean 'idle'?"),
            (#"{"tls": {"ca": "x"}}"#, "1:10 (/tls/ca): unknown key; expected one of certificate, key"),
            (#"{"timeouts.idle": "1s"}"#, "1:2 (/timeouts.idle): unknown key"),
            (#"{"config": "x"}"#, "1:2 (/config): unknown key"),
            ("[]", "1:1: expected an object of settings, found an array"),
            ("", "1:1: expected a value, found the end of the text"),
            ("{\"eventLoops\": 1,}", "1:17: unexpected comma after the last element; remove the comma"),
        ])
    func file(text: String, message: String) {
        let issues = Given(files: ["config/vitrine.json": text]).issues
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("config/vitrine.json:\(message)") == true, "\(issues)")
    }

    @Test(
        "An unknown variable is reported with a suggestion",
        arguments: [
            ("VITRINE_EVENT_LOPS", "VITRINE_EVENT_LOPS: unknown variable; did you mean 'VITRINE_EVENT_LOOPS'?"),
            ("VITRINE_NONSENSE", "VITRINE_NONSENSE: unknown variable"),
            ("VITRINE_EVENT_LOOPS_FILE", "VITRINE_EVENT_LOOPS_FILE: unknown variable; only secrets can be in files"),
            ("VITRINE_\u{1B}[2J", "VITRINE_\\u{1b}[2J: unknown variable"),
        ])
    func unknownVariable(name: String, message: String) {
        #expect(Given(variables: [name: "x"]).issues == [message])
        #expect(Given(variables: ["VITRINE_OUTPUT": "json", "VITRINES": "1", "PATH": "/bin"]).issues.isEmpty)
    }

    @Test("A missing file is an issue if it was named, but not if it is the default one")
    func missingFile() {
        let reason = "expected a readable file, found 'x.json': No such file or directory"
        #expect(Given(flags: ["config": "x.json"]).issues == ["--config: \(reason)"])
        #expect(Given(variables: ["VITRINE_CONFIG": "x.json"]).issues == ["VITRINE_CONFIG: \(reason)"])
        #expect(Given().issues.isEmpty)
    }

    @Test("An unreadable default file is an issue")
    func unreadableFile() throws {
        let sources = SettingsSources(flagText: { _ in nil }, environment: [:]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: false, reason: "Permission denied")
        }
        let error = try #require(throws: SettingsError.self) { try Settings.load(from: sources) }
        #expect(
            error.issues.map(\.description) == [
                "config/vitrine.json: expected a readable file: Permission denied"
            ])
    }

    @Test("A secret that is given twice, in a missing file or empty is an issue")
    func secretFile() {
        let url = "postgres://h"
        #expect(
            Given(variables: ["VITRINE_DATABASE_URL": url, "VITRINE_DATABASE_URL_FILE": "f"], files: ["f": url]).issues
                == ["VITRINE_DATABASE_URL_FILE: cannot be combined with VITRINE_DATABASE_URL"])
        #expect(
            Given(variables: ["VITRINE_DATABASE_URL_FILE": "f"]).issues
                == ["VITRINE_DATABASE_URL_FILE (f): expected a readable file: No such file or directory"])
        #expect(
            Given(variables: ["VITRINE_DATABASE_URL_FILE": "f"], files: ["f": "\n"]).issues
                == ["VITRINE_DATABASE_URL_FILE (f): expected a value that is not empty"])
    }

    @Test("A password on the command line is an issue, and a URL without one is accepted")
    func passwordInFlag() throws {
        #expect(try Given(flags: ["database-url": "postgres://u@h"]).load().databaseURL?.user == "u")
        for url in ["postgres://u:p@h", "postgres://u@h?password=p"] {
            #expect(
                Given(flags: ["database-url": url]).issues == [
                    "--database-url: other users can see the secret on the command line; "
                        + "use VITRINE_DATABASE_URL, or VITRINE_DATABASE_URL_FILE with the path of a file"
                ])
        }
    }

    @Test(
        "A certificate without its key, or a key without its certificate, is an issue",
        arguments: [("tls-key", "tls.key"), ("tls-certificate", "tls.certificate")])
    func halfOfTLS(flag: String, name: String) throws {
        #expect(Given(flags: [flag: "a.pem"]).issues == ["expected tls.certificate and tls.key together, found only \(name)"])
        #expect(try Given(flags: ["tls-key": "k", "tls-certificate": "c"]).load().tls?.key == "k")
    }

    @Test("The list of issues is cut after a hundred lines")
    func many() {
        let error = #expect(throws: SettingsError.self) {
            try Given(variables: ["VITRINE_LISTEN": String(repeating: ",", count: 50_000)]).load()
        }
        let text = error?.text(commandPath: "vitrine serve") ?? ""
        #expect(text.hasSuffix("\nerror: 49901 more invalid settings\nhint: run 'vitrine serve --help'\n"), "\(text.suffix(200))")
        #expect(text.count { $0 == "\n" } == 102)
    }

    @Test("An issue in an overridden source is reported")
    func covered() {
        #expect(Given(flags: ["event-loops": "2"], variables: ["VITRINE_EVENT_LOOPS": "x"]).issues.count == 1)
    }

    @Test(
        "Issues of flags alone are a usage error, and any other issue is invalid input",
        arguments: [
            (Given(flags: ["listen": "foo", "event-loops": "0"]), ExitCode.usage),
            (Given(variables: ["VITRINE_LISTEN": "foo"]), .invalid), (Given(flags: ["tls-key": "k"]), .invalid),
            (Given(flags: ["listen": "foo"], variables: ["VITRINE_EVENT_LOOPS": "0"]), .invalid),
            (Given(files: ["config/vitrine.json": "[]"]), .invalid),
        ])
    func exitCodes(given: Given, code: ExitCode) {
        let error = #expect(throws: SettingsError.self) { try given.load() }
        #expect(error?.exitCode == code)
    }

    @Test("All issues are reported together, in the order of their sources")
    func golden() throws {
        let given = Given(
            flags: ["event-loops": "many", "timeouts-idle": "0s", "database-url": "postgres://u:hunter2@h"],
            variables: [
                "VITRINE_LOG_LEVEL": "loud", "VITRINE_EVENT_LOPS": "4", "VITRINE_LISTEN": "*:80,nowhere,unix:x",
                "VITRINE_DATABASE_URL_FILE": "/run/url",
            ],
            files: [
                "config/vitrine.json": """
                {
                  "limits": {"headerBytes": 1, "headers": 7},
                  "pool": 4,
                  "tls": {"key": "server.key"},
                  "timeouts": {"body": 30}
                }
                """
            ])
        let error = try #require(throws: SettingsError.self) { try given.load() }
        let text = error.text(commandPath: "vitrine serve")
        #expect(try Golden("issues.txt").text(recording: text) == text)
    }
}

import Arguments
import Host
import TestSupport
import Testing

@testable import CLI

@Suite struct CommandLineTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    @Test("The help of each command matches its golden file and goes to standard output", arguments: CommandContract.names)
    func help(command: String) throws {
        let result = try vitrine.run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(result.status == .code(0))
        #expect(result.errors.isEmpty)
        let name = command.isEmpty ? "vitrine" : command.replacing(" ", with: "-")
        #expect(result.output == (try Golden("help/\(name).txt").text(recording: result.output)))
    }

    @Test(
        "An invalid command line is explained on standard error and exits with 64",
        arguments: [
            (["sttings"], "did you mean 'settings'"), (["dev", "--posgres-directory", "/tmp"], "--postgres-directory"),
            (["db"], "missing command"), (["settings", "-o", "jsn"], "json"), (["db", "psql", "-c"], "-c"), (["doctor", "extra"], "extra"),
        ])
    func usage(arguments: [String], hint: String) throws {
        let result = try vitrine.run(arguments)
        #expect(result.status == .code(64))
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    @Test("An invalid setting in an option is reported like any invalid option, and exits with 64")
    func invalidSetting() throws {
        let result = try vitrine.run(["serve", "--listen", "foo"])
        let expected = "expected an address like 127.0.0.1:8080, [::1]:8080, *:8080 or unix:/run/vitrine.sock, found 'foo'"
        #expect(result.errors == "error: --listen: \(expected)\nhint: run 'vitrine serve --help'\n")
        #expect(result.status == .code(64) && result.output.isEmpty)
    }

    @Test("All issues of the settings are reported together with their locations, and the exit code is 5")
    func issues() throws {
        let file = try vitrine.write("{\"eventLoops\": 0, \"log\": {\"levl\": \"info\"}}", to: "shop.json")
        let result = try vitrine.run(
            ["dev", "--config", file, "--limits-connections", "0"], variables: ["VITRINE_POOL_SIZE": "many", "VITRINE_EVENT_LOPS": "2"])
        #expect(result.status == .code(5))
        for location in ["--limits-connections", "VITRINE_POOL_SIZE", "VITRINE_EVENT_LOPS", "shop.json:1:16 (/eventLoops)", "(/log/levl)"] {
            let lines = result.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") && $0.contains(location) }
            #expect(lines.count == 1, "\(result.errors)")
        }
        #expect(result.errors.hasSuffix("\nhint: run 'vitrine dev --help'\n"), "\(result.errors)")
    }

    @Test("Settings show their values and origins in both formats, without the password")
    func settings() throws {
        let secret = try vitrine.write("postgresql://ada:hunter2@db/shop\n", to: "secret")
        let variables = ["VITRINE_DATABASE_URL_FILE": secret]
        for format in ["table", "json"] {
            let result = try vitrine.run(["settings", "-o", format, "--event-loops", "3"], variables: variables)
            #expect(result.status == .code(0))
            #expect(result.output.contains("postgresql://ada:•••@db/shop"))
            #expect(result.output.contains("--event-loops"))
            #expect(!(result.output + result.errors).contains("hunter2"))
        }
    }

    @Test("Doctor reports problems and exits with 1, also in JSON")
    func doctor() throws {
        let result = try vitrine.run([
            "doctor", "-o", "json", "--limits-connections", "1000000", "--tls-certificate", "/no", "--tls-key", "/no",
        ])
        #expect(result.status == .code(1))
        #expect(result.output.contains("\"ok\": false"))
        #expect(result.output.contains("/no cannot be read"))
        let broken = try vitrine.run(["doctor"], variables: ["VITRINE_EVENT_LOOPS": "many"])
        #expect(broken.status == .code(1))
        #expect(broken.output.contains("VITRINE_EVENT_LOOPS"))
    }

    @Test("Doctor checks the libraries that the program is linked to")
    func libraries() throws {
        let (text, status) = try ProcessLaunch("readelf", ["--dynamic", "--wide", vitrine.path]).output()
        #expect(status.isSuccess)
        for library in RuntimeLibrary.all { #expect(text.contains("[\(library.file)]"), "\(library.name)") }
    }

    @Test("The db url command prints only the URL, and the way to start the database on standard error")
    func databaseURL() throws {
        let result = try vitrine.run(["db", "url"])
        #expect(result.status == .code(0))
        #expect(result.output == "postgresql:///vitrine?host=\(vitrine.folder)/.vitrine/postgres&user=vitrine\n")
        #expect(result.errors.contains("dev"))
        let given = try vitrine.run(["db", "url"], variables: ["VITRINE_DATABASE_URL": "postgresql://ada:hunter2@db/shop"])
        #expect(given.output == "postgresql://ada:•••@db/shop\n")
        #expect(try vitrine.run(["db", "psql"]).status == .code(7))
    }

    @Test("A closed pipe does no harm")
    func closedPipe() throws {
        // A shell reports an end by SIGPIPE as 141.
        let command = "set -o pipefail; for i in 1 2 3 4 5; do \(vitrine.path) man | true; echo $?; done"
        let codes = Set(try ProcessLaunch("bash", ["-c", command]).output().text.split(separator: "\n"))
        #expect(codes.isSubset(of: ["0", "141"]), "\(codes)")
    }

    @Test("Output that cannot be written is an error, to a full disk and to a closed stream", arguments: [">/dev/full", ">&-"])
    func lostOutput(redirection: String) throws {
        for command in ["settings", "doctor -o json", "db url", "--version"] {
            let (text, status) = try ProcessLaunch("sh", ["-c", "\(vitrine.path) \(command) \(redirection)"]).output()
            #expect(status == .code(1), "\(command)")
            #expect(text.contains("error: cannot write to standard output"), "\(command): \(text)")
        }
    }

    @Test("The command tree is declared without issues")
    func declarations() {
        let tree = VitrineCommand.tree(version: "0", console: Console(program: "vitrine", environment: [:]))
        #expect(tree.declarationIssues == [])
    }

    @Test(
        "Completion offers the words that are possible at the cursor",
        arguments: [
            ("vitrine d", ["dev", "db", "doctor"]), ("vitrine db ", ["migrate", "status", "check", "url", "psql"]),
            ("vitrine doctor -o ", ["table", "json"]), ("vitrine layout show tree", ["tree-carousel"]),
            ("vitrine layout preview --device ip", ["iphone-se", "ipad-landscape"]),
            ("vitrine dev --log-l", ["--log-level"]), ("vitrine dev --log-format=", ["auto", "json", "text"]),
        ])
    func completes(line: String, arguments: [String]) throws {
        let response = try vitrine.run(["complete", "bash", "--", " \t\n\"'><=;|&(:", line]).output
        for argument in arguments { #expect(response.contains(argument), "\(response)") }
    }

    @Test("The manual page and the completion script of each shell exist")
    func derived() throws {
        #expect(try vitrine.run(["man"]).output.contains(".TH"))
        for shell in ["bash", "zsh", "fish"] { #expect(try vitrine.run(["completion", shell]).output.contains("vitrine")) }
        #expect(try vitrine.run(["--version"]).output == "vitrine 0.1.0\n")
    }
}

import Host
import JSON
import TestSupport
import Testing

@Suite("vitrine profile", .serialized, .onOwnThread)
struct ProfileCommandTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private var folder: String { "\(vitrine.folder)/configuration/vitrine" }

    @discardableResult
    private func run(_ arguments: String..., status: Int32 = 0) throws -> Vitrine.Result {
        let result = try vitrine.run(["profile"] + arguments)
        #expect(result.status == .code(status), "\(arguments): \(result.errors)")
        return result
    }

    @Test("Profiles store servers by name, the first one is selected, and no token is stored")
    func life() throws {
        let token = try vitrine.write("vtr_secret\n", to: "token")
        let first = try run("set", "staging", "--server", "https://staging.example", "--token-file", token)
        #expect(
            first.output == "Saved profile 'staging' of https://staging.example with the token in \(token).\n")
        #expect(first.errors.contains("It is the current profile."))
        #expect(try run("set", "live", "--server", "unix:/run/vitrine.sock", "--storefront", "us").errors.contains("profile use live"))
        let table = "NAME     SERVER                   CURRENT\nlive     unix:/run/vitrine.sock\n"
        #expect(try run("ls").output == table + "staging  https://staging.example  vitrine profile use\n")
        try run("use", "live")
        try run("set", "live", "--locale", "de")
        let live = try JSONDocument(parsing: Array(run("ls", "-o", "json").output.utf8)).root.elements.first { $0["current"]?.bool == true }
        #expect(live?["name"]?.string == "live" && live?["storefront"]?.string == "us" && live?["locale"]?.string == "de")
        let doctor = try vitrine.run(["doctor"]).output
        #expect(doctor.contains("commands default to the storefront us and the locale de"), "\(doctor)")
        let path = "\(folder)/profiles.json"
        #expect(FileStatus(following: path)?.mode == 0o600 && FileStatus(following: folder)?.mode == 0o700)
        #expect(try !vitrine.text(path).contains("vtr_"))
        try run("rm", "live")
        #expect(try run("ls", "-o", "name").output == "staging\n")
        #expect(try run("ls").errors.contains("Commands use http://127.0.0.1:8080 (default address of vitrine dev)"))
    }

    @Test("Each change of a profile prints the profile as JSON if this is requested")
    func formats() throws {
        func change(_ arguments: String...) throws -> JSONNode {
            let result = try vitrine.run(["profile"] + arguments + ["-o", "json"])
            #expect(result.status == .code(0), "\(arguments): \(result.errors)")
            return try JSONDocument(parsing: Array(result.output.utf8)).root
        }
        let first = try change("set", "a", "--server", "https://a.example", "--locale", "de")
        #expect(first["name"]?.string == "a" && first["locale"]?.string == "de" && first["current"]?.bool == true)
        #expect(try change("set", "b", "--server", "https://b.example")["current"]?.bool == false)
        let used = try change("use", "b")
        #expect(used["name"]?.string == "b" && used["current"]?.bool == true && used["reason"]?.string == "vitrine profile use")
        let removed = try change("rm", "b")
        #expect(removed["server"]?.string == "https://b.example" && removed["current"]?.bool == false)
    }

    @Test("A token from standard input is stored in a separate file, which is deleted with the profile")
    func standardInput() throws {
        let output = "profile set live --server https://shop.example --token-file -"
        let script = "cd \(vitrine.folder); echo vtr_secret | XDG_CONFIG_HOME=$PWD/configuration \(vitrine.path) \(output)"
        let (text, status) = try ProcessLaunch("sh", ["-c", script]).output()
        #expect(status == .code(0) && !text.contains("vtr_secret"), "\(text)")
        #expect(try vitrine.text("\(folder)/live.token") == "vtr_secret\n")
        #expect(FileStatus(following: "\(folder)/live.token")?.mode == 0o600)
        try run("rm", "live")
        #expect(FileStatus(following: "\(folder)/live.token") == nil)
        // No secret stays in a file without a profile.
        _ = try ProcessLaunch("sh", ["-c", script]).output()
        #expect(FileStatus(following: "\(folder)/live.token") != nil)
        try run("set", "live", "--server", "https://other.example")
        #expect(FileStatus(following: "\(folder)/live.token") == nil)
    }

    @Test("A profile with another server keeps neither the token nor the permission for unencrypted requests")
    func otherServer() throws {
        let token = try vitrine.write("vtr_secret\n", to: "token")
        try run("set", "a", "--server", "http://a.example", "--token-file", token, "--insecure", "--storefront", "us")
        func saved() throws -> JSONNode {
            try #require(try JSONDocument(parsing: Array(run("ls", "-o", "json").output.utf8)).root.elements.first { _ in true })
        }
        try run("set", "a", "--server", "http://a.example", "--locale", "en")
        #expect(try saved()["tokenFile"]?.string == token && saved()["insecure"]?.bool == true)
        #expect(try run("set", "a", "--server", "http://b.example").output.contains("http://b.example without a token."))
        #expect(try saved()["tokenFile"] == nil && saved()["insecure"] == nil && saved()["storefront"]?.string == "us")
        try run("set", "a", "--server", "http://c.example", "--token-file", token)
        #expect(try saved()["tokenFile"]?.string == token && saved()["insecure"] == nil)
    }

    @Test("Invalid names, servers and files are refused")
    func refusals() throws {
        try run("set", "new", status: 64)
        try run("set", "a b", "--server", "https://a.example", status: 64)
        try run("set", "a", "--server", "ftp://a.example", status: 64)
        try run("set", "a", "--server", "https://a.example", "--token-file", "/none", status: 3)
        try run("set", "dev", "--server", "https://a.example", status: 4)
        try run("use", "none", status: 3)
        try run("use", "dev", status: 4)
        try run("rm", "none", status: 3)
        try Files.makeDirectory(folder)
        _ = try vitrine.write("{\"profiles\": {\"a\": {\"servr\": 1}}}", to: "configuration/vitrine/profiles.json")
        let broken = try run("ls", status: 5)
        #expect(broken.errors.contains("invalid profiles in ") && broken.errors.contains("did you mean"), "\(broken.errors)")
        #expect(try ProcessLaunch("chmod", ["622", "\(folder)/profiles.json"]).output().status.isSuccess)
        #expect(try run("ls", status: 6).errors.contains("other users can write "))
    }

    @Test("A profile of a folder names no other machine, and only its own token")
    func strangeFolder() throws {
        let token = try vitrine.write("vtr_mine\n", to: "mine")
        let file = try vitrine.write(#"{"server": "https://evil.example", "tokenFile": "\#(token)"}"#, to: ".vitrine/postgres/profile.json")
        #expect(try vitrine.run(["feed", "ls"]).errors.contains("names a server on another machine"))
        try Files.remove(file)
        _ = try vitrine.write(#"{"server": "http://127.0.0.1:1", "tokenFile": "\#(token)"}"#, to: ".vitrine/postgres/profile.json")
        let ours = try vitrine.run(["profile", "ls", "-o", "wide"]).output
        #expect(ours.contains("/.vitrine/postgres/token") && !ours.contains("mine"))
        #expect(try vitrine.run(["feed", "ls"]).status == .code(3))
        #expect(try ProcessLaunch("ln", ["-s", token, "\(vitrine.folder)/.vitrine/postgres/token"]).output().status.isSuccess)
        let link = try vitrine.run(["feed", "ls"])
        #expect(link.status == .code(6) && link.errors.contains("is not a regular file"), "\(link)")
    }

    @Test("Profiles that are saved at the same time are all kept")
    func atOnce() throws {
        let sets = (0..<12).map { "\(vitrine.path) profile set p\($0) --server https://p\($0).example >/dev/null 2>>errors & " }.joined()
        let script = "cd \(vitrine.folder); export XDG_CONFIG_HOME=$PWD/configuration; \(sets) wait; \(vitrine.path) profile ls -o name"
        #expect(try ProcessLaunch("sh", ["-c", script]).output().text.split(separator: "\n").count == 12)
    }

    @Test("Commands find a running dev from its folder with a lasting token, and no longer find it once it has ended")
    func dev() throws {
        func dev(_ body: (String) throws -> Void) throws {
            try Files.remove("\(vitrine.folder)/dev.errors")
            try RunningDev.with(vitrine) { _ in
                let retained = try vitrine.text("\(vitrine.folder)/.vitrine/postgres/token")
                let feeds = try vitrine.run(["feed", "ls", "-o", "name"]).output
                #expect(feeds.hasPrefix("apps\nfood\ngames\nharbor-story\nsearch\nstreet-food\ntoday\n"))
                try body(retained)
            }
            #expect(try vitrine.run(["feed", "ls"]).status == .code(6))
        }
        var first = ""
        try dev { (token: String) throws in
            first = token
            for name in ["token", "profile.json"] {
                #expect(FileStatus(following: "\(vitrine.folder)/.vitrine/postgres/\(name)")?.mode == 0o600)
            }
            #expect(FileStatus(following: folder) == nil)
            #expect(try vitrine.run(["profile", "ls"]).output.contains(" vitrine dev\n"))
            let doctor = try vitrine.run(["doctor"]).output
            #expect(doctor.contains("(profile 'dev', from vitrine dev in this folder), token in"), "\(doctor)")
            // The token of the environment is for another server than the one of the folder.
            #expect(try vitrine.run(["feed", "ls"], variables: ["VITRINE_TOKEN": "vtr_other"]).status == .code(0))
            #expect(try vitrine.run(["feed", "ls", "--profile", "dev"]).status == .code(0))
            #expect(try vitrine.run(["feed", "ls", "--profile", "none"]).status == .code(3))
            #expect(try vitrine.run(["feed", "ls", "--profile", "dev", "--server", "http://127.0.0.1:1"]).status == .code(64))
            let far = try vitrine.run(["feed", "ls", "--server", "http://192.0.2.1"], variables: ["VITRINE_TOKEN": "vtr_other"])
            #expect(far.status == .code(6) && far.errors.contains("without encryption"))
            let other = try vitrine.run(["feed", "create", "x", "--title", "en=X", "--line", "night", "--profile", "dev"]).errors
            #expect(other.contains("publish x --line night --profile dev'\n"), "\(other)")
            let hidden = try vitrine.run(["profile", "set", "else", "--server", "https://else.example"])
            #expect(hidden.status == .code(0) && hidden.errors.contains("use the running vitrine dev; add '--profile else'"))
            #expect(try vitrine.run(["feed", "ls"]).status == .code(0))
            #expect(try vitrine.run(["profile", "rm", "else"]).status == .code(0))
        }
        try dev { (token: String) throws in
            #expect(token == first)
            #expect(try vitrine.run(["token", "revoke", "dev", "--yes"]).status == .code(0))
        }
        try dev { (token: String) throws in
            #expect(token != first)
            #expect(try vitrine.run(["token", "ls", "-o", "name"]).output == "dev\n")
        }
    }
}

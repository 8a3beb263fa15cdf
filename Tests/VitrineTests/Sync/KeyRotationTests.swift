import Host
import JSON
import TestSupport
import Testing

/// Two servers with one database, whose clients use both.
@Suite("The rotation of sync keys", .serialized, .onOwnThread) struct KeyRotationTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private static func cursor(of response: String) throws -> String {
        let body = response.dropLast(3)
        return try #require(try JSONDocument(parsing: Array(body.utf8), limits: .ownOutput).root["cursor"]?.string)
    }

    @Test("Each step of a rotation keeps all cursors valid until the old key is retired, and doctor warns of wrong steps")
    func rotation() throws {
        try RunningDev.with(vitrine) { dev in
            let file = "\(vitrine.folder)/keys"
            var variables = try dev.create("rotated")
            #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
            let items = try vitrine.write(try vitrine.run(["item", "generate", "--count", "5"]).output, to: "items.jsonl")
            #expect(try vitrine.run(["db", "load", items], variables: variables).status == .code(0))
            variables["VITRINE_SYNC_KEYS_FILE"] = file
            let settings = ["VITRINE_SYNC_KEYS_FILE": file]

            func keys(_ arguments: String..., existing: [String: String] = settings) throws {
                let result = try vitrine.run(["sync", "keys"] + arguments, variables: existing)
                #expect(result.status == .code(0), "\(result.errors)")
                try Files.replace(file, with: Array(result.output.utf8))
            }
            try keys(existing: [:])
            var first = try RunningServe(vitrine, variables: variables)
            var second = try RunningServe(vitrine, ["--no-sequencer"], variables: variables)
            try first.wait(for: 200, of: "/readyz")
            try second.wait(for: 200, of: "/readyz")
            let path = "/v1/us/sync?locale=en&limit=1"
            var cursors = [try Self.cursor(of: first.send(path)), try Self.cursor(of: second.send(path))]

            /// Sends all previous cursors to both servers, and gets another one from each.
            func roam(_ first: borrowing RunningServe, _ second: borrowing RunningServe, _ step: String) throws {
                for cursor in cursors {
                    #expect(try first.send("\(path)&cursor=\(cursor)").hasSuffix("200"), "\(step)")
                    #expect(try second.send("\(path)&cursor=\(cursor)").hasSuffix("200"), "\(step)")
                }
                cursors += [try Self.cursor(of: first.send(path)), try Self.cursor(of: second.send(path))]
                cursors += [try Self.cursor(of: first.send("\(path)&cursor=\(cursors[0])"))]
            }
            func doctor(_ server: borrowing RunningServe) throws -> String {
                let environment = ["VITRINE_SERVER": "http://127.0.0.1:\(server.port)"]
                return try vitrine.run(["doctor"], variables: settings.merging(environment) { $1 }).output
            }
            try roam(first, second, "one key")
            for (arguments, order, warning) in [
                (["--standby"], #""keys":["1","2"]"#, "does not know 2"), (["--activate", "2"], #""keys":["2","1"]"#, "and signs with 1"),
            ] {
                let result = try vitrine.run(["sync", "keys"] + arguments, variables: settings)
                #expect(result.status == .code(0), "\(result.errors)")
                try Files.replace(file, with: Array(result.output.utf8))
                // Checks the states in which no server, one server and both servers have reloaded.
                try roam(first, second, "\(arguments): before")
                let before = try doctor(first)
                #expect(before.contains(warning), "\(before)")
                try first.signal(.hangup, until: order)
                try roam(first, second, "\(arguments): one of two")
                try second.signal(.hangup, until: order)
                try roam(first, second, "\(arguments): both")
                #expect(try doctor(first).contains("knows all of them"))
            }
            let led = try vitrine.text(file)
            // Doctor warns of a key that signs before the servers know it. Unreadable keys change nothing.
            try keys()
            #expect(try doctor(first).contains("does not know key 3"))
            try Files.replace(file, with: Array("nonsense".utf8))
            try first.signal(.hangup, until: "sync.keys.reload.failed")
            try roam(first, second, "keys that cannot be read")
            // The last step ends only the cursors of the old key. A cursor renewed after the new key leads is signed with the new one.
            let (old, new) = (cursors[0], try Self.cursor(of: first.send("\(path)&cursor=\(cursors[0])")))
            try Files.replace(file, with: Array(led.utf8))
            try keys("--retire", "1")
            try first.signal(.hangup, until: #""keys":["2"]"#)
            #expect(try second.send("\(path)&cursor=\(old)").hasSuffix("200"))
            try second.signal(.hangup, until: #""keys":["2"]"#)
            for response in [try first.send("\(path)&cursor=\(old)"), try second.send("\(path)&cursor=\(old)")] {
                #expect(response.hasSuffix("410") && response.contains(#""reason":"keyRetired""#), "\(response)")
            }
            for response in [try first.send("\(path)&cursor=\(new)"), try second.send("\(path)&cursor=\(new)")] {
                #expect(response.hasSuffix("200"), "\(response)")
            }
            try first.stop()
            try second.stop()
        }
    }
}

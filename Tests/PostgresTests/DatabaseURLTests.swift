import Arguments
import Postgres
import Settings
import Telemetry
import TestSupport
import Testing

@Suite("A database URL")
struct DatabaseURLTests {
    @Test(
        "A URL is parsed by the rules of libpq",
        arguments: [
            ("postgresql://", [""], nil, nil, false), ("postgres://h", ["h"], nil, nil, false),
            ("postgresql://h:5433", ["h:5433"], nil, nil, false),
            ("postgresql://h/d", ["h"], nil, "d", false), ("postgresql://u@h", ["h"], "u", nil, false),
            ("postgresql://u:p@h/d", ["h"], "u", "d", true), ("postgresql://u:@h/d", ["h"], "u", "d", false),
            ("postgresql:///d", [""], nil, "d", false), ("postgresql://%2Fvar%2Frun/d", ["/var/run"], nil, "d", false),
            ("postgresql:///d?host=/var/run&port=5433", ["/var/run:5433"], nil, "d", false),
            ("postgresql://a:1,b:2,c/d", ["a:1", "b:2", "c"], nil, "d", false),
            ("postgresql://[::1]:5432,[fe80::1%25eth0]/", ["::1:5432", "fe80::1%25eth0"], nil, nil, false),
            ("postgresql://a,b/?port=7", ["a:7", "b:7"], nil, nil, false),
            ("postgresql://ignored:9/?host=a,b&port=1,2", ["a:1", "b:2"], nil, nil, false),
            ("postgresql://h?user=u&password=p&dbname=d", ["h"], "u", "d", true), ("postgresql://u%40x:p%2Fq@h", ["h"], "u@x", nil, true),
            ("postgresql://h/d?sslmode=require&application_name=a%20b", ["h"], nil, "d", false),
            ("postgresql://h/d?sslpassword=p", ["h"], nil, "d", true),
        ] as [(String, [String], String?, String?, Bool)])
    func reading(text: String, hosts: [String], user: String?, database: String?, hasPassword: Bool) throws {
        let url = try DatabaseURL(parsing: text)
        #expect(url.hosts.map { $0.name + ($0.port.map { ":\($0)" } ?? "") } == hosts)
        #expect(url.user == user)
        #expect(url.database == database)
        #expect(url.hasPassword == hasPassword)
        #expect(url.exposed == text)
    }

    @Test("A URL identifies a socket directory and keeps its other parameters")
    func parts() throws {
        let url = try DatabaseURL(parsing: "postgres://%2Frun/d?sslmode=require&password=p&connect_timeout=3")
        #expect(url.hosts[0].isSocketDirectory)
        #expect(url.parameters.map { "\($0.name)=\($0.value)" } == ["sslmode=require", "connect_timeout=3"])
    }

    @Test(
        "The description of a URL contains no secrets",
        arguments: [
            ("postgresql://u:p@h/d", "postgresql://u:•••@h/d"), ("postgresql://u@h/d", "postgresql://u@h/d"),
            ("postgresql://h/d?password=p&sslmode=require", "postgresql://h/d?password=•••&sslmode=require"),
            ("postgresql://u:p@h/d?pass%77ord=q", "postgresql://u:•••@h/d?pass%77ord=•••"), ("postgresql://u:•@h", "postgresql://u:•••@h"),
            ("postgresql://u:p?x=y&password=z@h", "postgresql://u:•••@h"), ("postgresql://u:a:b@h", "postgresql://u:•••@h"),
            ("postgresql://\u{202E}:p@h", "postgresql://\\u{202e}:•••@h"),
        ])
    func redaction(text: String, printed: String) throws {
        let url = try DatabaseURL(parsing: text)
        var dumped = ""
        dump(url, to: &dumped)
        #expect([url.redacted, url.description, url.debugDescription] == [printed, printed, printed])
        #expect(!dumped.contains(":p@") && !dumped.contains("=q"))
    }

    @Test(
        "A URL splits into its password and a text without it",
        arguments: [
            ("postgresql://u:p@h/d", "p", "postgresql://u:@h/d"), ("postgresql://u:p%2F%40@h", "p/@", "postgresql://u:@h"),
            ("postgresql://u:p?x=y&password=z@h", "p?x=y&password=z", "postgresql://u:@h"),
            ("postgresql://:p@h", "p", "postgresql://:@h"), ("postgresql://u:@h", nil, "postgresql://u:@h"),
            ("postgresql://u@h/d?sslmode=require", nil, "postgresql://u@h/d?sslmode=require"), ("postgresql://", nil, "postgresql://"),
            ("postgresql://h?password=p", nil, nil), ("postgresql://u:p@h?sslpassword=q", "p", nil),
        ] as [(String, String?, String?)])
    func takingApart(text: String, password: String?, rest: String?) throws {
        let url = try DatabaseURL(parsing: text)
        #expect(url.password?.exposed == password)
        #expect(url.textWithoutPassword == rest)
    }

    @Test(
        "An invalid URL is refused with an error that contains none of its text",
        arguments: [
            "", "MARKER", "host=h password=MARKER", "http://u:MARKER@h", "postgresql:/u:MARKER@h",
            "postgresql://h?password=MARKER@x", "postgresql://?password=MARKER:x@h", "postgresql://u:MAR KER@h",
            "postgresql://u:MARKER\n@h", "postgresql://u:MARKER%@h", "postgresql://u:MARKER%zz@h", "postgresql://u:MARKER%00@h",
            "postgresql://u:MARKER%ff@h", "postgresql://u:MARKER/x@h", "postgresql://u:1/MARKER@h", "postgresql://u:p@MARKER@h",
            "postgresql://u:p@h/d/MARKER", "postgresql://h:MARKER", "postgresql://h:0", "postgresql://h:65536",
            "postgresql://h:99999999999",
            "postgresql://h:-1", "postgresql://h:+1", "postgresql://[MARKER", "postgresql://[::1", "postgresql://[]",
            "postgresql://[::1]MARKER", "postgresql://h?MARKER",
            "postgresql://h?MARKER=1", "postgresql://h?sslmode=MARKER=1", "postgresql://h?password=MARKER%", "postgresql://h?=MARKER",
            "postgresql://a,b,c?port=1,2", "postgresql://h?port=MARKER", "postgresql://h/?host=u:MARKER@h",
            "postgresql://h?dbname=postgres://u:MARKER@h", "postgresql://u:1/d?x=MARKER@h",
        ])
    func refusal(text: String) throws {
        let error = try #require(throws: InvalidValue.self) { try DatabaseURL(parsing: text) }
        #expect(!"\(error)".contains("MARKER"))
    }

    @Test("An unknown parameter is refused with a suggestion")
    func suggestion() throws {
        let error = try #require(throws: InvalidValue.self) { try DatabaseURL(parsing: "postgresql://h?sslmod=require") }
        #expect(error.suggestion == "sslmode")
    }

    @Test("No text makes the parser trap", arguments: Seeds.fixed(1))
    func hostile(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "@", ":", "/", "?", "&", "=", "%", "%41", "%2F", "[", "]", ",", "h", "u", "password", "host", "port", "1", "🙂", "\u{301}", "#",
        ]
        for _ in 0..<10_000 {
            let tail = (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            guard let url = accepted("postgres://" + tail) else { continue }
            #expect(!url.hosts.isEmpty, "seed \(seed), \(tail)")
            #expect(url.hasPassword == url.redacted.contains("•••"), "seed \(seed), \(tail)")
        }
    }

    private func accepted(_ text: String) -> DatabaseURL? {
        do { return try DatabaseURL(parsing: text) } catch { return nil }
    }
}

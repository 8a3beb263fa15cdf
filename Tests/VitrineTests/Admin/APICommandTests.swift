import HTTP
import Host
import JSON
import TestSupport
import Testing

@testable import Arguments
@testable import CLI

@Suite("vitrine api", .serialized, .onOwnThread)
struct APICommandTests {
    @Test("A request prints the body unchanged, with the head if asked, and follows the pages of a list")
    func requests() throws {
        try CuratedSite.with(scope: "admin") { site in
            let feeds = try site.output("api", "feeds")
            #expect(feeds.hasPrefix(#"{"feeds":[{"feed":"apps""#) && !feeds.hasSuffix("\n"))
            #expect(try site.output("api", "/admin/v1/feeds") == feeds)
            #expect(try site.output("api", "\(site.server)/admin/v1/feeds", "-X", "get") == feeds)
            #expect(try site.output("api", "/v1/storefronts").contains(#""key":"de""#))

            let whole = try site.output("api", "feeds", "--include")
            #expect(whole.hasPrefix("HTTP/1.1 200 OK\n") && whole.hasSuffix("\n\n\(feeds)"))
            #expect(whole.contains(/(?i)\ncontent-type: application\/json\n/) && !whole.contains("\r"))
            let head = try site.output("api", "feeds", "-X", "HEAD", "-i")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\n") && head.hasSuffix("\n\n"))
            let page = try site.output("api", "/openapi.json", "-i")
            let tag = try #require(page.firstMatch(of: /(?i)\netag: (.+)\n/)?.1)
            let same = try site.run("api", "/openapi.json", "-H", "If-None-Match: \(tag)", "-i")
            #expect(same.status == .code(1) && same.output.hasPrefix("HTTP/1.1 304 Not Modified\n"))

            let order = #"{"name": "nightly", "scope": "read"}"#
            let file = try site.dev.vitrine.write(order, to: "token.json")
            #expect(try site.output("api", "tokens", "--file", file).contains(#""secret":"vtr_"#))
            let piped = "echo '\(order.replacing("nightly", with: "hourly"))' | \(site.dev.vitrine.path) api tokens -f -"
            let environment = site.dev.vitrine.environment.merging(site.variables) { $1 }
            let (text, status) = try ProcessLaunch("sh", ["-c", piped], environment: environment).output(within: .seconds(60))
            #expect(status == .code(0) && text.contains(#""name":"hourly""#), "\(text)")

            for name in ["a", "b", "c"] { _ = try site.output("token", "create", "--name", name, "--scope", "read") }
            let pages = try site.output("api", "audit?limit=1", "--paginate").split(separator: "\n")
            let entries = try pages.map { try JSONDocument(parsing: Array($0.utf8)).root["entries"]?.count }
            #expect(entries.count >= 3 && entries.allSatisfy { $0 == 1 })
            #expect(try site.json("audit", "ls", "--limit", "1000").count == entries.count)
            #expect(try site.output("api", "feeds", "--paginate") == "\(feeds)\n")
        }
    }

    @Test("A rejected request prints its body, the cause and the remedy, and exits with the code of its status")
    func rejections() throws {
        try CuratedSite.with(scope: "read") { site in
            let document = try site.dev.vitrine.write("{", to: "broken.json")
            func expect(_ code: Int32, _ problem: String, _ words: String...) throws {
                let result = try site.run(arguments: ["api"] + words)
                #expect(result.status == .code(code) && result.output.contains(#""code":"\#(problem)""#), "\(words): \(result)")
                #expect(result.errors.hasPrefix("error: ") && result.errors.contains("\nhint: "), "\(words): \(result.errors)")
            }
            try expect(3, "unknownFeed", "feeds/nowhere")
            try expect(3, "notFound", "nowhere")
            try expect(5, "invalidParameter", "feeds?at=yesterday")
            #expect(try !site.run("api", "feeds?at=yesterday").errors.contains("--at"), "the error keeps the terms of the API")
            try expect(6, "insufficientScope", "tokens")
            try expect(1, "methodNotAllowed", "feeds", "-X", "DELETE")
            try expect(5, "invalidDocument", "feeds/today:validate", "-f", document)
            let curator = try site.dev.vitrine.run(["token", "create", "--name", "curator", "--scope", "curate"]).output
            let token = try site.dev.vitrine.write(curator, to: "curator.token")
            try expect(4, "missingPrecondition", "feeds/today/draft", "-X", "PUT", "-f", document, "--token-file", token)
            try expect(
                4, "stale", "feeds/today/draft", "-X", "PUT", "-f", document, "--token-file", token, "--header", #"If-Match: "x""#)

            let missing = try site.dev.vitrine.run(["api", "feeds"], variables: ["VITRINE_SERVER": site.server])
            #expect(missing.status == .code(6) && missing.output.isEmpty)
            let wrong = try site.run("api", "feeds", variables: ["VITRINE_TOKEN": "vtr_none"])
            #expect(wrong.status == .code(6) && wrong.output.contains(#""code":"invalidToken""#))
            #expect(try site.run("api", "feeds", "--server", "http://127.0.0.1:9").status == .code(7))
            #expect(try site.run("api", "feeds", "-f", "nowhere.json").status == .code(3))
            let page = try site.run("api", "/docs", "--paginate")
            #expect(page.status == .code(1) && page.output.contains("<html") && page.errors.contains("hint: omit --paginate"))
        }
    }

    @Test(
        "A path or header that could send the token elsewhere or add to the request is refused before any request",
        arguments: [
            (["http://example.com/admin/v1/feeds"], "is not on the selected server"),
            (["https://127.0.0.1:9/admin/v1/feeds"], "is not on the selected server"),
            (["http://127.0.0.1:9.example.com/"], "invalid path"), (["http://anna@127.0.0.1:9/"], "invalid path"),
            (["//example.com/feeds"], "a path such as feeds"), (["feeds/a b"], "'%20' instead of ' '"),
            (["feeds\r\nHost: x"], "'%0D' instead of '\\u{d}'"), (["feeds/{feed}"], "'%7B' instead of '{'"),
            (["feeds#top"], "'%23' instead of '#'"), (["feeds/é"], "'%C3%A9' instead of 'é'"),
            (["feeds", "--header", "X-One: 1\r\nX-Two: 2"], "on one line"), (["feeds", "--header", "no colon"], "'Name: value'"),
            (["feeds", "--header", "A B: c"], "'Name: value'"), (["feeds", "--header", "Host: example.com"], "the program sets it"),
            (["feeds", "--header", "authorization: Bearer x"], "--token-file"), (["feeds", "-X", "TRACE"], "one of GET"),
            (["feeds", "--paginate", "-X", "POST"], "needs the method GET"),
            (["feeds", "-f", "-", "--token-file", "-"], "only one option can read standard input"),
            (["/v1/us/sync/stream?cursor=x"], "'vitrine sync tail'"),
        ])
    func refusals(words: [String], message: String) throws {
        // No server listens there, so a request would exit with 7.
        let variables = ["VITRINE_SERVER": "http://127.0.0.1:9", "VITRINE_TOKEN": "vtr_none"]
        let result = try Vitrine().run(["api"] + words, variables: variables)
        #expect(result.status == .code(64) && result.output.isEmpty && result.errors.contains(message), "\(result)")
        #expect(!result.errors.contains("vtr_none"))
    }

    @Test("The path is completed with the paths of the API")
    func completion() async {
        let found = await CommandContract.tree.completions(for: ["api", "/admin/v1/s"])
        #expect(found.candidates.map(\.word) == ["/admin/v1/status", "/admin/v1/storefronts", "/admin/v1/storefronts/"])
    }

    @Test(
        "A path is absolute, below the admin API, or that of a URL",
        arguments: [
            ("feeds", nil, "/admin/v1/feeds"), ("feeds?at=http://x", nil, "/admin/v1/feeds?at=http://x"), ("/v1/us", nil, "/v1/us"),
            ("HTTP://Example.com/v1/us?q=a", "http://example.com", "/v1/us?q=a"), ("https://example.com", "https://example.com", "/"),
        ] as [(String, String?, String)])
    func paths(text: String, server: String?, target: String) throws {
        let path = try APIPath(text)
        #expect(path.server?.description == server && path.target == target)
    }
}

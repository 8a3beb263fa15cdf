import TestSupport
import Testing

@testable import HTTPMessages

@Suite("A view of a request head")
struct RequestHeadViewTests {
    /// The number of heads of each seed.
    private static let heads = TestVariable.number("REPEATED_HEADS").map { Int(clamping: $0) } ?? 20_000
    private static let longest = 1_024

    private func view(_ bytes: [UInt8], _ limits: HTTP1Limits = HTTP1Limits(), upTo longest: Int = Self.longest) -> RequestHeadView? {
        RequestHeadView(bytes.span, limits, upTo: longest, seed: 7)
    }

    private func view(_ text: String) -> RequestHeadView? { view(Array(text.utf8)) }

    private func head(_ bytes: [UInt8], _ limits: HTTP1Limits = HTTP1Limits()) -> (RequestHead, count: Int)? {
        var reader = HTTP1HeadReader(limits)
        guard case .head(let head, let count) = reader.read(bytes.span) else { return nil }
        return (head, count)
    }

    private func lines(_ text: String) -> String? {
        view(text).map { String(decoding: $0.declaredLines(of: Array(text.utf8).span), as: UTF8.self) }
    }

    @Test("The declared lines are the request line and the fields on which a shared response may depend")
    func declaredLines() {
        let text =
            "GET /a?b HTTP/1.1\r\nUser-Agent: x\r\nHost: a\r\nconnection:keep-alive\r\nX-Request-ID: 7\r\nACCEPT-encoding:  br \r\n"
            + "Vitrine-Client: id=\"1\"\r\nIf-None-Match: \"1\"\r\nAccept-Language: de\r\nX-Forwarded-For: 192.0.2.1\r\n"
            + "X-Forwarded-Proto: https\r\ntraceparent: 00-1\r\n\r\n"
        #expect(
            lines(text)
                == "GET /a?b HTTP/1.1\r\nHost: a\r\nconnection:keep-alive\r\nACCEPT-encoding:  br \r\nIf-None-Match: \"1\"\r\n"
                + "X-Forwarded-Proto: https\r\n")
        let bytes = Array(text.utf8)
        let view = self.view(bytes)
        #expect(view?.count == bytes.count)
        #expect(view?.id.map { String(decoding: bytes[$0], as: UTF8.self) } == "7")
        #expect(view?.languages.map { String(decoding: bytes[$0], as: UTF8.self) } == "de")
        #expect(lines("HEAD / HTTP/1.1\r\n\r\n") == "HEAD / HTTP/1.1\r\n")
    }

    @Test("A line whose name a record does not distinguish from Accept-Language is declared")
    func similarName() {
        let name = "Alternate-Store"
        #expect(FieldNameFilter.languages.mayContain(Array(name.utf8).span) && !FieldNameFilter.declared.mayContain(Array(name.utf8).span))
        let text = "GET / HTTP/1.1\r\n\(name): a\r\nAccept-Language: de\r\n\r\n"
        #expect(lines(text) == "GET / HTTP/1.1\r\n\(name): a\r\n")
    }

    @Test("Of several IDs, the first one counts, as for the reader")
    func repeatedFields() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID:\r\nx-request-id: 2\r\n"
        #expect(view("\(text)\r\n")?.id?.isEmpty == true)
        #expect(view("\(text)X: \u{E9}\tb\r\n\r\n") != nil)
    }

    @Test(
        "A head that is incomplete, malformed or of another method has no view",
        arguments: [
            "", "GET", "GET ", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r",
            "\r\nGET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\n\r\n", "get / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n A: b\r\n\r\n",
            "GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", "GET / HTTP/1.1\r\nA b\r\n\r\n", "GET / HTTP/1.1\r\nA : b\r\n\r\n",
            "GET / HTTP/1.1\r\n: b\r\n\r\n", "GET / HTTP/1.1\r\nA\r\n\r\n", "GET / HTTP/1.1\r\nA: b\n\r\n",
            "GET / HTTP/1.1\r\nA: b\r\r\n\r\n",
            "GET / HTTP/1.1\r\nA: \0\r\n\r\n", "GET / HTTP/1.1\nA: b\r\n\r\n", "GET / HTTP/1.1\r\nA: \u{7F}\r\n\r\n",
        ])
    func none(text: String) {
        #expect(view(text) == nil)
    }

    @Test("The limits are those of the reader, and a view has a limit of its own")
    func limits() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nB: b\r\n\r\n".utf8)
        for count in bytes.indices { #expect(view(Array(bytes[..<count])) == nil) }
        #expect(view(bytes, upTo: bytes.count) != nil && view(bytes, upTo: bytes.count - 1) == nil)
        for (count, fits) in [(bytes.count, true), (bytes.count - 1, false)] {
            var limits = HTTP1Limits()
            limits.headerBytes = count
            #expect((view(bytes, limits) != nil) == fits && (head(bytes, limits) != nil) == fits)
        }
        for (count, fits) in [(2, true), (1, false)] {
            var limits = HTTP1Limits()
            limits.headerCount = count
            #expect((view(bytes, limits) != nil) == fits && (head(bytes, limits) != nil) == fits)
        }
        // Each declared line between other lines is a run of its own.
        for (count, fits) in [(7, true), (8, false)] {
            let fields = String(repeating: "B: c\r\nIf-Match: \"1\"\r\n", count: count)
            #expect((view("GET / HTTP/1.1\r\n\(fields)\r\n") != nil) == fits)
        }
    }

    @Test("The hash depends on the declared lines and on nothing else")
    func hash() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n"
        let hashes = [
            "\(text)\r\n", "\(text)B: c\r\n\r\nmore", "GET / HTTP/1.1\r\nB: c\r\nHost: a\r\nX-Request-ID: 8\r\nAccept-Encoding: br\r\n\r\n",
        ].map { view($0)?.hash }
        #expect(Set(hashes).count == 1 && hashes[0] != nil)
        let others = [
            "GET /a HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n", "GET / HTTP/1.1\r\nHost: b\r\nAccept-Encoding: br\r\n\r\n",
            "GET / HTTP/1.1\r\nAccept-Encoding: br\r\nHost: a\r\n\r\n", "\(text)If-Match:\r\n\r\n", "\(text)Cookie: a\r\n\r\n",
        ].map { view($0)?.hash }
        #expect(Set(others + hashes).count == others.count + 1)
        let otherSeed = RequestHeadView(Array("\(text)\r\n".utf8).span, HTTP1Limits(), upTo: 1_024, seed: 8)
        #expect(otherSeed != nil && otherSeed?.hash != hashes[0])
    }

    // MARK: Equality

    @Test(
        "A head with the declared lines of an accepted head is accepted, with equal declared fields and its own ID",
        arguments: Seeds.fixed(2))
    func equality(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (equal, rejected) = (0, 0)
        for _ in 0..<Self.heads {
            let (first, second) = pair(&random)
            // Most heads that are not mutated have a view.
            guard let (expected, expectedCount) = head(first), let view = view(first) else { continue }
            guard view.count == expectedCount else {
                Issue.record("seed \(seed): \(String(decoding: first, as: UTF8.self).debugDescription) has \(expectedCount) bytes")
                return
            }
            let lines = view.declaredLines(of: first.span)
            guard let other = self.view(second), other.hasDeclaredLines(lines.span, in: second.span) else {
                if head(second) == nil { rejected += 1 }
                continue
            }
            equal += 1
            guard other.hash == view.hash, let (received, count) = head(second), count == other.count,
                Self.decided(received) == Self.decided(expected), Self.agree(other, second, received), Self.agree(view, first, expected)
            else {
                let texts = [first, second].map { String(decoding: $0, as: UTF8.self).debugDescription }
                Issue.record("seed \(seed): \(texts[0]) and \(texts[1])")
                return
            }
        }
        #expect(equal > Self.heads / 10 && rejected > Self.heads / 50, "\(equal) equal, \(rejected) rejected")
    }

    /// Everything of a head on which a shared response may depend.
    private static func decided(_ head: RequestHead) -> [String] {
        let names: [FieldName] = [
            .host, .expect, .connection, .contentLength, .transferEncoding, .authorization, "cookie", "upgrade", .acceptEncoding, .ifMatch,
            .ifNoneMatch, .xForwardedProto,
        ]
        return names.map { head.fields.list($0) ?? "-" } + [
            "\(head.method) \(head.target.path) \(head.target.query.items.map { "\($0.name)=\($0.value)" })", "\(head.version)",
            head.authority ?? "-", "\(head.framing) \(head.keepsAlive) \(head.expectsContinue)",
        ]
    }

    /// Whether the view has the ID and the languages of the head.
    private static func agree(_ view: RequestHeadView, _ bytes: [UInt8], _ head: RequestHead) -> Bool {
        let id = head.fields.withFirst(.xRequestID) { $0.text }
        var count = 0
        head.fields.forEach(.acceptLanguage) { _ in count += 1 }
        guard (view.languages == nil) == (count > 1),
            view.languages.map({ AcceptedLanguages(bytes.span.extracting($0)) == AcceptedLanguages(head.fields) }) ?? true
        else { return false }
        return view.id.map { bytes.span.extracting($0).text } == id
    }

    /// Returns a head, and another one that is equal except for some lines, their order and some bytes.
    private func pair(_ random: inout SeededRandom) -> (first: [UInt8], second: [UInt8]) {
        func one(of choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &random)] }
        let others = [
            "User-Agent: a", "user-agent:", "Accept-Language: de, en;q=0.5", "accept-language: *", "X-Request-ID: a-1",
            "x-request-id: \u{E9}", "X-Request-Id:", "traceparent: 00-1-2-01", "Traceparent: 00-3-4-01",
            "X-Forwarded-For: 192.0.2.1, 10.0.0.1", "Vitrine-Client: id=\"1\"",
            "X: \(String(repeating: "y", count: Int.random(in: 0..<300, using: &random)))", "Keep-Alive: timeout=5", "TE: trailers",
            "Trailer: a", "Proxy-Connection: close", "Hos: b", "Contect-Lengtx: 7", "x-b3-traceid: 1",
        ]
        let declared = [
            "Accept-Encoding: br", "accept-encoding: gzip", "If-None-Match: \"1\", \"2\"", "IF-MATCH:*", "Connection: keep-alive",
            "Connection: close", "Content-Length: 0", "X-Forwarded-Proto: https", "Content-Length: 5", "Expect: 100-continue",
            "Transfer-Encoding: chunked", "Cookie: a", "Host: b", "Authorization: x",
        ]
        let line =
            "\(one(of: ["GET", "GET", "HEAD", "HEADS"])) \(one(of: ["/", "/a?b=c", "http://b/a", "/%61"])) HTTP/1.\(one(of: ["1", "1", "1", "0"]))"
        var lines = [one(of: ["Host: a", "Host: a", "host:a:80", "Hos"])]
        for _ in 0..<Int.random(in: 0...3, using: &random) { lines.append(one(of: declared)) }
        lines.shuffle(using: &random)
        func mixed() -> [UInt8] {
            var all = lines
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                all.insert(one(of: others), at: Int.random(in: 0...all.count, using: &random))
            }
            return Array(([line] + all).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8)
        }
        let first = mixed()
        var second = mixed()
        if Bool.random(using: &random) {
            let tokens = [
                "\r", "\n", "\r\n", " ", "\t", ":", "\0", "\u{7F}", "\r\n ", "Host: a\r\n", "\r\nHost: a", "Content-Length: 1\r\n", "H",
                "é",
            ]
            let index = Int.random(in: 0..<second.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: second[index] = UInt8.random(in: 0...255, using: &random)
            case 1: second.remove(at: index)
            case 2: second.swapAt(index, Int.random(in: 0..<second.count, using: &random))
            default: second.insert(contentsOf: one(of: tokens).utf8, at: index)
            }
        }
        return (first, second)
    }
}

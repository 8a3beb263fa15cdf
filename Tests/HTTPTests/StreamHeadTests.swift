import HTTPMessages
import TestSupport
import Testing

@testable import HTTP

@Suite("The head of an HTTP/2 request")
struct StreamHeadTests {
    private typealias Field = (name: String, value: String)

    private static let pseudo: [Field] = [(":method", "GET"), (":scheme", "https"), (":path", "/a?b=c"), (":authority", "shop")]

    private static func add(_ fields: [Field], to head: inout HTTP2Head) {
        for field in fields { head.append(Array(field.name.utf8).span, Array(field.value.utf8).span) }
    }

    private static func head(_ fields: [Field]) -> HTTP2Head {
        var head = HTTP2Head(HTTP1Limits())
        add(fields, to: &head)
        return head
    }

    private static func bytes(_ head: HTTP2Head) -> [UInt8] {
        head.withBytes { bytes in
            var copy: [UInt8] = []
            bytes.append(to: &copy)
            return copy
        }
    }

    @Test("Only heads with the same fields in the same order have the same bytes", arguments: Seeds.fixed(2))
    func bytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Most of them have the same text, divided differently.
        var known: [[UInt8]: String] = [:]
        for _ in 0..<5_000 {
            var fields: [Field] = []
            var rest = "aabab"[...]
            while !rest.isEmpty {
                let name = rest.prefix(Int.random(in: 1...2, using: &random))
                rest = rest.dropFirst(name.count)
                let value = rest.prefix(Int.random(in: 0...2, using: &random))
                rest = rest.dropFirst(value.count)
                fields.append((String(name), String(value)))
            }
            let text = fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            let bytes = Self.bytes(Self.head(fields))
            #expect(known[bytes] ?? text == text)
            known[bytes] = text
        }
        #expect(Set(known.values).count == known.count && known.count > 20)
    }

    @Test("The buffer of earlier requests has no effect on later ones", arguments: Seeds.fixed(2))
    func reuse(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var reused = HTTP2Head(HTTP1Limits())
        for _ in 0..<300 {
            var fields = Self.pseudo
            if Bool.random(using: &random) { fields[0].value = ["HEAD", "POST", "CONNECT", "X"][Int.random(in: 0..<4, using: &random)] }
            for number in 0..<Int.random(in: 0...120, using: &random) {
                fields.append(("x-\(number)", String(repeating: "v", count: Int.random(in: 0...300, using: &random))))
            }
            reused.removeAll()
            Self.add(fields, to: &reused)
            let new = Self.head(fields)
            #expect(Self.bytes(reused) == Self.bytes(new) && reused.error == new.error && reused.isForHead == (fields[0].value == "HEAD"))
            let results = [reused, new].map { head in Result { () throws(RequestError) in try head.makeHead(hasBody: false) } }
            switch (results[0], results[1]) {
            case (.failure(let one), .failure(let other)): #expect(one == other)
            case (.success(let one), .success(let other)):
                #expect(one.method == other.method && one.fields.count == other.fields.count && one.fields.count == fields.count - 4)
                #expect(one.authority == "shop" && other.authority == "shop" && one.framing == .none && one.version == .http2)
            default: Issue.record("seed \(seed): \(results)")
            }
        }
    }

    @Test("A head has the fields of the request, and the host of a request without an authority")
    func fields() throws {
        let fields: [Field] = [("accept-encoding", "br"), ("x-a", "1"), ("x-a", "2"), ("content-length", "7"), ("x-b", "")]
        let head = try Self.head(Self.pseudo + fields).makeHead(hasBody: true)
        #expect(head.method == .get && head.target.path == "/a" && head.authority == "shop" && head.framing == .frames(length: 7))
        #expect(head.fields.count == 5 && head.fields[.acceptEncoding] == "br" && head.fields.list("x-a") == "1, 2")
        #expect(head.fields["x-b"] == "" && !head.fields.contains(":path") && !head.expectsContinue)
        let host: [Field] = [("host", "Other:80"), ("expect", "100-continue")]
        let other = try Self.head(Array(Self.pseudo.prefix(3)) + host).makeHead(hasBody: false)
        #expect(other.authority == "other" && other.framing == .none && other.expectsContinue)
        #expect(throws: RequestError.self) { try Self.head(Self.pseudo + host).makeHead(hasBody: false) }
        let server: [Field] = [(":method", "OPTIONS"), (":scheme", "https"), (":path", "*"), (":authority", "shop")]
        #expect(try Self.head(server).makeHead(hasBody: false).method == .options)
    }

    @Test("The declared fields of a view are the pseudo-header fields and those on which a shared response may depend")
    func view() {
        let fields: [Field] = [
            ("user-agent", "a"), ("accept-encoding", "br"), ("x-request-id", "7"), ("x-request-id", "8"), ("if-none-match", "\"1\""),
            ("accept-language", "de"), ("x-forwarded-proto", "https"),
        ]
        let head = Self.head(Self.pseudo + fields)
        let view = head.view(upTo: 1_024, seed: 7)
        let declared = Self.bytes(Self.head(Self.pseudo + [fields[1], fields[4], fields[6]]))
        #expect(head.withBytes { view?.declaredLines(of: $0) } == declared && view?.count == Self.bytes(head).count)
        #expect(head.withBytes { bytes in view?.id.map { bytes.extracting($0).text } } == "7")
        #expect(head.withBytes { bytes in view?.languages.map { bytes.extracting($0).text } } == "de")
        #expect(head.view(upTo: Self.bytes(head).count, seed: 7) != nil && head.view(upTo: Self.bytes(head).count - 1, seed: 7) == nil)
        #expect(head.view(upTo: 1_024, seed: 8)?.hash != view?.hash)
        // Each declared field between other ones is a run of its own.
        for (count, fits) in [(7, true), (8, false)] {
            let fields = (0..<count).flatMap { _ in [fields[0], fields[1]] }
            #expect((Self.head(Self.pseudo + fields).view(upTo: 1_024, seed: 7) != nil) == fits)
        }
        var limits = HTTP1Limits()
        limits.headerCount = 3
        var refused = HTTP2Head(limits)
        Self.add(Self.pseudo + fields, to: &refused)
        #expect(refused.error != nil && refused.view(upTo: 1_024, seed: 7) == nil)
    }

    @Test(
        "A head with the declared fields of an accepted head is accepted, with equal declared fields and its own ID",
        arguments: Seeds.fixed(2))
    func equality(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var equal = 0
        for _ in 0..<5_000 {
            let (first, second) = Self.pair(&random)
            let results = [first, second].map { head in Result { () throws(RequestError) in try head.makeHead(hasBody: false) } }
            guard case .success(let expected) = results[0], let view = first.view(upTo: 1_024, seed: seed),
                let other = second.view(upTo: 1_024, seed: seed)
            else { continue }
            let lines = first.withBytes { view.declaredLines(of: $0) }
            guard second.withBytes({ other.hasDeclaredLines(lines.span, in: $0) }) else { continue }
            equal += 1
            let id = second.withBytes { bytes in other.id.map { bytes.extracting($0).text } }
            let languages = second.withBytes { bytes in other.languages.map { AcceptedLanguages(bytes.extracting($0)) } }
            var count = 0
            if case .success(let received) = results[1] { received.fields.forEach(.acceptLanguage) { _ in count += 1 } }
            guard case .success(let received) = results[1], view.hash == other.hash, Self.decided(received) == Self.decided(expected),
                received.fields.withFirst(.xRequestID, { $0.text }) == id,
                languages == (count > 1 ? nil : AcceptedLanguages(received.fields))
            else {
                Issue.record("seed \(seed): \(Self.bytes(first)) and \(Self.bytes(second))")
                return
            }
        }
        #expect(equal > 500, "\(equal) equal")
    }

    /// Returns a head, and another one that is equal except for some fields and their order.
    private static func pair(_ random: inout SeededRandom) -> (first: HTTP2Head, second: HTTP2Head) {
        func one<Choice>(of choices: [Choice]) -> Choice { choices[Int.random(in: 0..<choices.count, using: &random)] }
        let others: [Field] = [
            ("user-agent", "a"), ("x-request-id", "a-1"), ("x-request-id", ""), ("traceparent", "00-1"), ("accept-language", "de"),
            ("accept-language", "en, de"), ("vitrine-client", "id=\"1\""), ("x", "y"), ("hos", "b"), ("x-forwarded-for", "192.0.2.1"),
        ]
        let declared: [Field] = [
            ("accept-encoding", "br"), ("accept-encoding", "gzip"), ("if-none-match", "\"1\""), ("if-match", "*"), ("host", "shop"),
            ("host", "b"), ("content-length", "0"), ("expect", "100-continue"), ("cookie", "a"), ("x-forwarded-proto", "https"),
        ]
        var fields = pseudo
        fields[2].value = one(of: ["/a", "/a?b=c", "/%61", "/%"])
        for _ in 0..<Int.random(in: 0...2, using: &random) { fields.append(one(of: declared)) }
        func mixed() -> [Field] {
            var all = fields
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                all.insert(one(of: others), at: Int.random(in: 4...all.count, using: &random))
            }
            return all
        }
        let first = mixed()
        if Int.random(in: 0..<4, using: &random) == 0 { fields.swapAt(0, fields.count - 1) }
        return (head(first), head(mixed()))
    }

    /// Everything of a head on which a shared response may depend.
    private static func decided(_ head: RequestHead) -> [String] {
        let names: [FieldName] = [
            .host, .expect, .contentLength, .authorization, "cookie", .acceptEncoding, .ifMatch, .ifNoneMatch, .xForwardedProto,
        ]
        return names.map { head.fields.list($0) ?? "-" } + [
            "\(head.method) \(head.target.path) \(head.target.query.items.map { "\($0.name)=\($0.value)" })", head.authority ?? "-",
            "\(head.framing) \(head.keepsAlive) \(head.expectsContinue)",
        ]
    }

    @Test("A field whose length does not fit is refused")
    func long() {
        var limits = HTTP1Limits()
        limits.headerBytes = 1 << 20
        for (count, isAccepted) in [(65_535, true), (65_536, false)] {
            var head = HTTP2Head(limits)
            Self.add(Self.pseudo + [("x", String(repeating: "y", count: count))], to: &head)
            #expect((head.error == nil) == isAccepted)
        }
    }
}

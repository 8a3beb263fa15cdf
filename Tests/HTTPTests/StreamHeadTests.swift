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

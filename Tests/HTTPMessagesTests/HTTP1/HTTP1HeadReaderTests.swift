import TestSupport
import Testing

@testable import HTTPMessages

@Suite("HTTP/1.1 request heads")
struct HTTP1HeadReaderTests {
    private func head(_ text: String, _ limits: HTTP1Limits = HTTP1Limits()) throws -> RequestHead {
        var reader = HTTP1HeadReader(limits)
        switch reader.read(Array(text.utf8).span) {
        case .head(let head, let count):
            #expect(count == text.utf8.count)
            return head
        case .incomplete: throw RequestError(.requestTimeout, "incomplete")
        case .refused(let error): throw error
        }
    }

    /// Returns the refusal of an incomplete head.
    private func earlyRejection(_ text: String, _ limits: HTTP1Limits = HTTP1Limits()) -> Status? {
        var reader = HTTP1HeadReader(limits)
        guard case .refused(let error) = reader.read(Array(text.utf8).span) else { return nil }
        return error.status
    }

    @Test("Fields are found by name in any case, and their values have no surrounding whitespace")
    func fields() throws {
        let fields = try head("GET / HTTP/1.1\r\nhOST:a\r\nX-Request-ID: \t 7 b \t\r\nVary:\r\nVARY: x\r\nvary:y\r\n\r\n").fields
        #expect(fields[.host] == "a")
        #expect(fields[.xRequestID] == "7 b")
        #expect(fields[.vary] == nil)
        #expect(fields.list(.vary) == ", x, y")
        #expect(fields[.origin] == nil)
        #expect(fields.list(.origin) == nil)
        #expect(fields.contains(.vary) && !fields.contains(.origin))
        var all: [String] = []
        fields.forEach { name, value in all.append("\(name.text)=\(value.text)") }
        #expect(all == ["hOST=a", "X-Request-ID=7 b", "Vary=", "VARY=x", "vary=y"])
    }

    @Test(
        "An invalid head is refused before it is complete",
        arguments: [
            ("\u{16}", .badRequest), ("GET / HTTP/2.0\r\n", .versionNotSupported), ("GET /.. HTTP/1.1\r\n", .badRequest),
            ("(", .badRequest),
            ("GET / HTTP/1.1\r\nContent-Length: x\r\n", .badRequest), ("GET / HTTP/1.1\r\nExpect: x\r\n", .expectationFailed),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", .badRequest), ("GET / HTTP/1.1\r\nTransfer-Encoding: x\r\n", .notImplemented),
            ("GET / HTTP/1.1\n", .badRequest), ("GET / HTTP/1.1\r\nA: \0", .badRequest), ("GET / HTTP/1.1\r\n B", nil),
            ("GET / HTTP/1.1\r\nA B", nil), ("GET /.. HTTP/1.1\r", nil), ("", nil), ("\r", nil), ("\r\n", nil), ("G", nil),
        ] as [(String, Status?)])
    func early(text: String, status: Status?) {
        #expect(earlyRejection(text) == status)
    }

    @Test("Each limit is exact to the byte")
    func limits() throws {
        var limits = HTTP1Limits()
        limits.headerBytes = 40
        _ = try head("\r\nGET / HTTP/1.1\r\nHost: a\r\nB: 12345678\r\n\r\n", limits)
        #expect(earlyRejection("\r\nGET / HTTP/1.1\r\nHost: a\r\nB: 123456789\r\n\r\n", limits) == .headersTooLarge)
        limits = HTTP1Limits()
        limits.headerCount = 2
        _ = try head("GET / HTTP/1.1\r\nHost: a\r\nB: b\r\n\r\n", limits)
        #expect(earlyRejection("GET / HTTP/1.1\r\nHost: a\r\nB: b\r\nC: c\r\n", limits) == .headersTooLarge)
        limits = HTTP1Limits()
        limits.targetBytes = 5
        _ = try head("GET /1234 HTTP/1.1\r\nHost: a\r\n\r\n", limits)
        #expect(earlyRejection("GET /12345 HTTP/1.1\r\n", limits) == .targetTooLong)
        #expect(earlyRejection("GET /\(String(repeating: "1", count: 64))", limits) == nil)
        #expect(earlyRejection("GET /\(String(repeating: "1", count: 65))", limits) == .targetTooLong)
    }

    @Test("A refusal is final")
    func final() {
        var reader = HTTP1HeadReader()
        var bytes = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        guard case .refused(let first) = reader.read(bytes.span) else { return #expect(Bool(false)) }
        bytes += "GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8
        guard case .refused(let second) = reader.read(bytes.span) else { return #expect(Bool(false)) }
        #expect(first == second)
    }

    @Test("A request starts with its first byte, not with an empty line before it")
    func started() {
        var reader = HTTP1HeadReader()
        var started: [Bool] = []
        started.append(reader.hasStarted)
        _ = reader.read(Array("\r\n".utf8).span)
        started.append(reader.hasStarted)
        _ = reader.read(Array("\r\nG".utf8).span)
        started.append(reader.hasStarted)
        #expect(started == [false, false, true])
    }

    @Test("Mutated requests have the same outcome in any pieces, and are accepted only if they follow the strict grammar")
    func mutations() {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        let grammar = StrictGrammar()
        var consumed = 0
        for _ in 0..<1_500 {
            var bytes = request(&random)
            #expect(grammar.accepts(bytes), "seed \(seed): \(String(latin1: bytes))")
            #expect(accepted(bytes) == bytes.count, "seed \(seed): \(String(latin1: bytes))")
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, &random) }
            let count = accepted(bytes)
            if let count {
                #expect(grammar.accepts(bytes[..<count]), "seed \(seed): \(String(latin1: bytes))")
                consumed += 1
            }
            let pieces = bytes.map { _ in Int.random(in: 1...40, using: &random) }
            #expect(Exchange(bytes).outcomes == Exchange(bytes, pieces: pieces).outcomes, "seed \(seed): \(String(latin1: bytes))")
        }
        #expect(consumed > 50, "seed \(seed)")
    }

    /// Returns the number of bytes of the head, or nil if it is invalid.
    private func accepted(_ bytes: [UInt8]) -> Int? {
        var reader = HTTP1HeadReader()
        guard case .head(_, let count) = reader.read(bytes.span) else { return nil }
        return count
    }

    private func request(_ random: inout SeededRandom) -> [UInt8] {
        func one(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
        let target = one(["/", "/v1/us", "/a%2Fb/%C3%A9/", "//a;b=c", "http://b.example", "HTTPS://b:1/a", "http://[::1]?a"])
        let query = target.contains("?") ? "" : one(["", "?", "?a=1&b=%20+", "?ids[]=1"])
        let fields = [
            one(["Host: a", "HOST:a.example:80", "host: [::1]:", "Host: "]),
            one(["X: 1", "Content-Length: 0", "content-length: 12", "Transfer-Encoding: chunked"]),
            one(["A:", "Connection: close, x", "Expect: 100-Continue", "Y: \u{E9} \t"]),
        ].shuffled(using: &random)
        let text =
            one(["", "\r\n"]) + one(["GET ", "POST ", "x-y "]) + target + query + " HTTP/1.1\r\n" + fields.joined(separator: "\r\n")
        return (text + "\r\n\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let tokens = [
            "\r", "\n", "\r\n", " ", "\t", ":", "\0", "%", "%00", "..", "/../", "#", "?", "Host: b\r\n", "Content-Length: 1\r\n", ",", "[",
            "]",
            "Transfer-Encoding: chunked\r\n", "\u{7F}",
        ]
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
        default: bytes.insert(contentsOf: (tokens.randomElement(using: &random) ?? "").utf8, at: index)
        }
    }
}

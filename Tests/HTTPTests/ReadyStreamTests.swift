import EventLoop
import HTTPMessages
import TestSupport
import Testing

@testable import HTTP

@Suite("Ready HTTP/2 responses")
struct ReadyStreamTests {
    private static let shared = PrebuiltHeaders([ResponseField("x-shop", "open")])

    private let content = ContentGeneration()

    private func head(_ path: String, _ fields: [(String, String)] = []) -> HTTP2Head {
        var head = HTTP2Head(HTTP1Limits())
        let pseudo = [(":method", "GET"), (":scheme", "https"), (":path", path), (":authority", "shop")]
        for (name, value) in pseudo + fields { head.append(Array(name.utf8).span, Array(value.utf8).span) }
        return head
    }

    private func bytes(_ path: String, _ fields: [(String, String)] = []) -> [UInt8] {
        head(path, fields).withBytes { bytes in
            var copy: [UInt8] = []
            bytes.append(to: &copy)
            return copy
        }
    }

    private func response(_ body: Body = Body("text")) -> Response {
        var response = Response(.ok, body: body)
        response.requestID = RequestID()
        response.repetition = Repetition(of: content, from: content.current, until: .never)
        return response
    }

    private func ready(_ head: HTTP2Head, _ response: Response) throws -> HTTP2ReadyResponse? {
        let message = try head.makeHead(hasBody: false)
        return head.withBytes { HTTP2ReadyResponse(response, to: message, $0, shared: Self.shared) }
    }

    private func ready(_ path: String, _ body: Body = Body("text")) throws -> HTTP2ReadyResponse {
        let ready = try ready(head(path), response(body))
        return try #require(ready)
    }

    @Test("A response is ready only with an ID, without a stream, and with the permission of the handler")
    func unready() throws {
        let head = head("/a")
        #expect(try ready(head, self.response()) != nil)
        #expect(try ready(head, self.response(.stream { _ in })) == nil)
        var response = self.response()
        response.requestID = nil
        #expect(try ready(head, response) == nil)
        response = self.response()
        response.repetition = nil
        #expect(try ready(head, response) == nil)
        for name in ["authorization", "cookie", "expect", "traceparent", "x-forwarded-for", "x-forwarded-proto", "x-request-id"] {
            #expect(try ready(self.head("/a", [(name, "x")]), self.response()) == nil)
        }
        let count = HTTP2ReadyResponse.longestHead - bytes("/a", [("x", "")]).count
        for (count, isShort) in [(count, true), (count + 1, false)] {
            let long = self.head("/a", [("x", String(repeating: "x", count: count))])
            #expect(try (ready(long, self.response()) != nil) == isShort)
        }
    }

    @Test("A response without a body has none, whatever the handler returned")
    func bodies() throws {
        #expect(try ready("/a").body?.count == 4)
        var response = self.response()
        response.status = .notModified
        #expect(try ready(head("/a"), response)?.body == nil)
        var ofHead = HTTP2Head(HTTP1Limits())
        for (name, value) in [(":method", "HEAD"), (":scheme", "https"), (":path", "/a"), (":authority", "shop")] {
            ofHead.append(Array(name.utf8).span, Array(value.utf8).span)
        }
        let made = try ready(ofHead, self.response())
        #expect(try #require(made).body == nil)
    }

    @Test("Only the bytes of a stored head find its response, with and without the likely place, until the content changes")
    func find() throws {
        let (one, other) = (bytes("/a"), bytes("/b"))
        let responses = Table(seed: 1)
        let ready = try ready("/a")
        let place = try #require(responses.insert(ready))
        let otherPlace = try #require(responses.insert(try self.ready("/b")))
        #expect(place != otherPlace, "another seed separates the requests")
        for likely in [nil, place, otherPlace, 255 - place] {
            let found = responses.find(one, likely: likely)
            #expect(found?.response === ready && found?.place == place)
            #expect(responses.find(other, likely: likely)?.place == otherPlace)
            for count in one.indices { #expect(responses.find(Array(one.prefix(count)), likely: likely) == nil) }
            #expect(responses.find(one + [0], likely: likely) == nil)
            for index in one.indices {
                var changed = one
                changed[index] ^= 0x20
                #expect(responses.find(changed, likely: likely) == nil, "byte \(index)")
            }
        }
        content.advance()
        for likely in [nil, place, otherPlace] { #expect(responses.find(one, likely: likely) == nil) }
        // A response of an older generation may be stored late, and is not found.
        _ = responses.insert(ready)
        #expect(responses.find(one, likely: place) == nil)
        _ = responses.insert(try self.ready("/a"))
        #expect(responses.find(one, likely: place) != nil)
    }

    @Test("A table with more requests than places has only correct responses", arguments: Seeds.fixed(2))
    func displaced(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let responses = Table(seed: seed)
        var expected: [Int: HTTP2ReadyResponse] = [:]
        var found = 0
        var likely: Int?
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<1_000, using: &random)
            if let (ready, place) = responses.find(bytes("/\(number)"), likely: likely) {
                found += 1
                likely = place
                guard ready === expected[number] else {
                    Issue.record("seed \(seed): /\(number) has the response of another request")
                    return
                }
            } else {
                let ready = try ready("/\(number)")
                expected[number] = ready
                likely = responses.insert(ready)
            }
            if Int.random(in: 0..<2_000, using: &random) == 0 { responses.removeAll() }
        }
        #expect(found > 1_000)
    }

    @Test("A request is worth a ready response when it comes for the second time in a row at its place")
    func doorkeeper() {
        let responses = Table(seed: 1)
        #expect(!responses.isRepeated(bytes("/a")))
        #expect(responses.isRepeated(bytes("/a")) && responses.isRepeated(bytes("/a")))
        for number in 0..<5_000 { #expect(!responses.isRepeated(bytes("/\(number)", [("x", "y")]))) }
        #expect(!responses.isRepeated(bytes("/a")), "others displace it")
        let long = bytes("/" + String(repeating: "a", count: HTTP2ReadyResponse.longestHead))
        for _ in 0..<2 { #expect(!responses.isRepeated(long)) }
    }

    @Test("All responses together keep a limited number of bytes in memory, and none after they are removed")
    func memory() throws {
        let responses = Table(seed: 3)
        var live: [WeakBytes] = []
        for number in 0..<400 {
            let body = SharedBytes([UInt8](repeating: 7, count: 500_000))
            live.append(WeakBytes(bytes: body))
            #expect(responses.insert(try ready("/\(number % 300)", .stored(body))) != nil)
            #expect(responses.bytes <= HTTP2ReadyResponses.maxBytes)
        }
        let bytes = live.compactMap(\.bytes?.count).reduce(0, +)
        #expect(bytes > 0 && bytes <= HTTP2ReadyResponses.maxBytes)
        #expect(responses.bytes >= bytes)
        let huge = SharedBytes([UInt8](repeating: 7, count: HTTP2ReadyResponses.longestResponse))
        let before = responses.bytes
        #expect(responses.insert(try ready("/huge", .stored(huge))) == nil && responses.bytes == before)
        responses.removeAll()
        #expect(responses.bytes == 0 && live.allSatisfy { $0.bytes == nil })
        // A replaced response no longer counts.
        for _ in 0..<3 { _ = responses.insert(try ready("/a")) }
        #expect(try responses.bytes == ready("/a").size)
    }

    @Test("A stream is renewed after a ready response only, and has nothing of it")
    func streams() throws {
        var streams = HTTP2Streams()
        let (one, two, three) = (streams.add(1), streams.add(3), streams.add(5))
        #expect(streams.open.map(\.id) == [1, 3, 5] && streams.open.map(\.index) == [0, 1, 2])
        one.respond(with: try ready("/a"))
        #expect(one.hasEnded && one.hasResponse && one.outputCount == 4 && one.available(100) == 4)
        _ = one.consume(2)
        one.close()
        streams.remove(one)
        #expect(streams.open.map(\.id) == [5, 3] && streams.open.map(\.index) == [0, 1])
        two.hasResponse = true
        two.close()
        streams.remove(two)
        #expect(streams.open.map(\.id) == [5] && three.index == 0)
        let (next, last) = (streams.add(7), streams.add(9))
        #expect(next === one && last !== two && streams.open.map(\.id) == [5, 7, 9])
        #expect(next.ready == nil && !next.hasEnded && !next.hasResponse && next.outputCount == 0 && next.deadline == .never)
        #expect(next.output.isEmpty && next.outputSent == 0 && next.isOutputComplete)
        for stream in [three, next, last] { streams.remove(stream) }
        #expect(streams.isEmpty)
    }

    /// A table as an object.
    private final class Table {
        private var responses: HTTP2ReadyResponses

        init(seed: UInt64) { responses = HTTP2ReadyResponses(seed: seed) }

        var bytes: Int { responses.bytes }

        func find(_ bytes: [UInt8], likely: Int?) -> (response: HTTP2ReadyResponse, place: Int)? {
            responses.find(bytes.span, likely: likely)
        }

        func isRepeated(_ head: [UInt8]) -> Bool { responses.isRepeated(head.span) }

        func insert(_ response: HTTP2ReadyResponse) -> Int? { responses.insert(response) }

        func removeAll() { responses.removeAll() }
    }
}

import EventLoop
import HTTPMessages
import TestSupport
import Testing

@testable import HTTP

@Suite("Ready HTTP/2 responses")
struct ReadyStreamTests {
    private static let shared = PrebuiltHeaders([ResponseField("x-shop", "open")])

    private let content = ContentGeneration()
    private let opening = HTTP1ResponsePrefix(PrebuiltHeaders([]))

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
        for name in ["authorization", "cookie", "expect", "x-forwarded-for", "x-forwarded-proto", "x-request-id"] {
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

    @Test(
        "Responses of both protocols share the places and the bytes of a table, and are found only by their own heads",
        arguments: Seeds.fixed(2))
    func shared(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let responses = Table(seed: seed)
        let body = Body([UInt8](repeating: 7, count: 100_000))
        var expected: [[UInt8]: ReadyResponse] = [:]
        var found = 0
        var emptied = 0
        var likely: Int?
        for _ in 0..<20_000 {
            let (path, isStream) = ("/\(Int.random(in: 0..<200, using: &random))", Bool.random(using: &random))
            let text = Array("GET \(path) HTTP/1.1\r\nHost: shop\r\n\r\n".utf8)
            let head = isStream ? bytes(path) : text
            if let (response, place) = responses.find(head, likely: likely) {
                found += 1
                likely = place
                guard response === expected[head], response is HTTP2ReadyResponse == isStream else {
                    Issue.record("seed \(seed): \(path) has the response of another request")
                    return
                }
            } else {
                var reader = HTTP1HeadReader()
                guard case .head(let message, _) = reader.read(text.span) else { throw RequestError(.badRequest, "not a head") }
                let made: ReadyResponse? =
                    try isStream
                    ? ready(path, body) : HTTP1ReadyResponse(response(body), to: message, text.span, after: opening)
                let response = try #require(made)
                expected[head] = response
                let before = responses.bytes
                likely = responses.insert(response)
                if responses.bytes < before / 2 { emptied += 1 }
            }
            guard responses.bytes <= ReadyResponses.maxBytes else {
                Issue.record("seed \(seed): the responses have \(responses.bytes) bytes")
                return
            }
        }
        #expect(found > 1_000 && emptied > 10)
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
        private var responses: ReadyResponses

        init(seed: UInt64) { responses = ReadyResponses(seed: seed) }

        var bytes: Int { responses.bytes }

        func find(_ bytes: [UInt8], likely: Int?) -> (response: ReadyResponse, place: Int?)? {
            var place = likely
            return responses.find(bytes.span, near: &place).map { ($0, place) }
        }

        func insert(_ response: ReadyResponse) -> Int? { responses.insert(response) }
    }
}

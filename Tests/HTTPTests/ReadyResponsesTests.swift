import EventLoop
import HTTPMessages
import TestSupport
import Testing

@testable import HTTP

@Suite("Ready responses")
struct ReadyResponsesTests {
    private let content = ContentGeneration()
    private let opening = HTTP1ResponsePrefix(PrebuiltHeaders([]))

    private func text(_ path: String, _ fields: String = "") -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n".utf8)
    }

    private func head(_ bytes: [UInt8]) throws -> RequestHead {
        var reader = HTTP1HeadReader()
        guard case .head(let head, _) = reader.read(bytes.span) else { throw RequestError(.badRequest, "not a head") }
        return head
    }

    private func response(_ body: Body = Body("text"), until end: Deadline = .never, by languages: LanguageChoice? = nil) -> Response {
        var response = Response(.ok, body: body)
        response.requestID = RequestID()
        response.repetition = Repetition(of: content, from: content.current, until: end, by: languages)
        return response
    }

    private func isReady(_ response: Response, _ head: RequestHead, _ bytes: [UInt8]) -> Bool {
        HTTP1ReadyResponse(response, to: head, bytes.span, after: opening) != nil
    }

    private func ready(_ bytes: [UInt8], _ body: Body = Body("text")) throws -> HTTP1ReadyResponse {
        let ready = HTTP1ReadyResponse(response(body), to: try head(bytes), bytes.span, after: opening)
        return try #require(ready)
    }

    private func responses() -> [Response] {
        var responses: [Response] = []
        let prepared = PrebuiltHeaders([ResponseField(.etag, "\"1\"")])
        for status in [Status.ok, .notModified, .preconditionFailed] {
            for body in [Body.empty, Body("text"), Body([UInt8](repeating: 7, count: 10_000))] {
                var response = response(body)
                response.status = status
                response.prepared = prepared
                response.fields = [ResponseField(.cacheControl, "no-store")]
                responses.append(response)
                response.common = PrebuiltHeaders([ResponseField("access-control-allow-origin", "*")])
                response.fields = []
                responses.append(response)
                response.prepared = nil
                responses.append(response)
            }
        }
        return responses
    }

    @Test("A ready response has the bytes of the written one, with the ID of its own request")
    func bytes() async throws {
        let group = try EventLoopGroup(name: "test", count: 1)
        let loop = group.loops[0]
        try await Task(executorPreference: loop) {
            let limits = ServerLimits()
            let server = ServerLoop(loop, service: .sample, limits: limits, encryption: nil, totals: ServerTotals(limits))
            try server.start([])
            for method in ["GET", "HEAD"] {
                let bytes = Array("\(method) /a HTTP/1.1\r\nHost: shop\r\n\r\n".utf8)
                let head = try head(bytes)
                for response in responses() {
                    var response = response
                    let made = HTTP1ReadyResponse(response, to: head, bytes.span, after: server.opening)
                    let ready = try #require(made)
                    let id = RequestIDs(count: 1)
                    response.requestID = id[0]
                    HTTP1ResponseWriter(server).write(response, to: head, keepsAlive: true)
                    let expected = server.output.takeBytes()
                    ready.write(id, to: server.output)
                    #expect(server.output.count == expected.count && ready.byteCount == expected.count)
                    #expect(server.output.takeBytes() == expected)
                    // Several responses together differ in their IDs.
                    let ids = RequestIDs(count: 3)
                    var several: [UInt8] = []
                    for index in 0..<ids.count {
                        response.requestID = ids[index]
                        HTTP1ResponseWriter(server).write(response, to: head, keepsAlive: true)
                        several += server.output.takeBytes()
                    }
                    ready.write(ids, to: server.output)
                    #expect(server.output.takeBytes() == several)
                }
            }
            await server.shutDown(until: .now)
        }.value
        await group.stop()
    }

    @Test("A response is ready only with an ID, without a stream, and with the permission of the handler")
    func unready() throws {
        let bytes = text("/a")
        let head = try head(bytes)
        #expect(isReady(self.response(), head, bytes))
        #expect(!isReady(self.response(.stream { _ in }), head, bytes))
        var response = self.response()
        response.requestID = nil
        #expect(!isReady(response, head, bytes))
        response = self.response()
        response.repetition = nil
        #expect(!isReady(response, head, bytes))
        let personal = text("/a", "Authorization: Bearer x\r\n")
        #expect(try !isReady(self.response(), self.head(personal), personal))
        let fill = String(repeating: "x", count: ReadyResponse.longestHead - text("/a", "X: \r\n").count)
        for (value, isShort) in [(fill, true), (fill + "x", false)] {
            let long = text("/a", "X: \(value)\r\n")
            #expect(try isReady(self.response(), self.head(long), long) == isShort)
        }
    }

    @Test("Only the bytes of a stored head find its response, with and without the likely place, until the content changes")
    func find() throws {
        let (bytes, other) = (text("/a"), text("/b"))
        let responses = Table(seed: 1)
        let ready = try ready(bytes)
        let place = try #require(responses.insert(ready))
        let otherPlace = try #require(responses.insert(try self.ready(other)))
        #expect(place != otherPlace, "another seed separates the requests")
        for likely in [nil, place, otherPlace, 255 - place] {
            for more in [[], bytes, other, Array("\r\n".utf8)] {
                let found = responses.find(bytes + more, likely: likely)
                #expect(found?.response === ready && found?.place == place)
            }
            for count in bytes.indices { #expect(responses.find(Array(bytes.prefix(count)), likely: likely) == nil) }
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 0x20
                #expect(responses.find(changed, likely: likely) == nil, "byte \(index)")
            }
        }
        content.advance()
        for likely in [nil, place, otherPlace] { #expect(responses.find(bytes, likely: likely) == nil) }
        // A response of an older generation may be stored late, and is not found.
        _ = responses.insert(ready)
        #expect(responses.find(bytes, likely: place) == nil)
        _ = responses.insert(try self.ready(bytes))
        #expect(responses.find(bytes, likely: place) != nil)
    }

    @Test("A ready response to other requests has the bytes of the written one, with the ID of its own request")
    func individualBytes() async throws {
        let group = try EventLoopGroup(name: "test", count: 1)
        let loop = group.loops[0]
        try await Task(executorPreference: loop) {
            let limits = ServerLimits()
            let server = ServerLoop(loop, service: .sample, limits: limits, encryption: nil, totals: ServerTotals(limits))
            try server.start([])
            let table = Table(seed: 1)
            for response in responses() {
                let first = text("/a", "X-Request-ID: first\r\n")
                let head = try head(first).recording()
                var made = response
                made.requestID = RequestID(head)
                let view = try #require(table.view(first))
                let stored = HTTP1ReadyResponse(made, to: head, first.span, view, after: server.opening)
                let ready = try #require(stored)
                #expect(ready.head.isEmpty && ready.declaredLines == text("/a").dropLast(2))
                let second = text("/a", "traceparent: 00-1\r\nX-Request-ID: second\r\n")
                made.requestID = RequestID(try self.head(second))
                HTTP1ResponseWriter(server).write(made, to: head, keepsAlive: true)
                let expected = server.output.takeBytes()
                let other = try #require(table.view(second))
                let id = try #require(other.id)
                ready.write(clientID: second.span.extracting(id), to: server.output)
                #expect(server.output.takeBytes() == expected)
                // The same request with an ID of the server.
                let own = RequestIDs(count: 1)
                made.requestID = own[0]
                HTTP1ResponseWriter(server).write(made, to: head, keepsAlive: true)
                let withOwn = server.output.takeBytes()
                ready.write(own, to: server.output)
                #expect(server.output.takeBytes() == withOwn)
            }
            await server.shutDown(until: .now)
        }.value
        await group.stop()
    }

    @Test("Requests with equal declared lines share a response; other lines and other kinds of peers separate them")
    func declared() throws {
        let responses = Table(seed: 1)
        let bytes = text("/a", "X-Request-ID: 1\r\nAccept-Encoding: br\r\n")
        let view = try #require(responses.view(bytes))
        let made = HTTP1ReadyResponse(
            response(), to: try head(bytes).recording(), bytes.span, view, isFromProxy: true, after: opening)
        let ready = try #require(made)
        let place = try #require(responses.insert(ready, view))
        for likely in [nil, place, 255 - place] {
            for fields in [
                "X-Request-ID: 2\r\nAccept-Encoding: br\r\n", "Accept-Encoding: br\r\nX-Forwarded-For: a\r\nUser-Agent: b\r\n",
                "traceparent: a\r\nAccept-Encoding: br\r\n", "Accept-Encoding: br\r\n",
            ] {
                let found = responses.find(text("/a", fields) + bytes, likely: likely, isFromProxy: true)
                #expect(found?.response === ready && found?.place == place, "\(fields)")
                #expect(responses.find(text("/a", fields), likely: likely) == nil)
            }
            for fields in [
                "", "Accept-Encoding: gzip\r\n", "Accept-Encoding:  br\r\n", "Accept-Encoding: br\r\nIf-Match: a\r\n",
                "Accept-Encoding: br\r\nCookie: a\r\n", "Accept-Encoding: br\r\nAuthorization: a\r\n",
                "Accept-Encoding: br\r\nX-Forwarded-Proto: https\r\n",
                "Accept-Encoding: br\r\nConnection: close\r\n", "Accept-Encoding: br\r\nContent-Length: 1\r\n",
                "Accept-Encoding: br\r\n A: b\r\n",
            ] {
                #expect(responses.find(text("/a", fields), likely: likely, isFromProxy: true) == nil, "\(fields)")
            }
            #expect(responses.find(text("/b", "Accept-Encoding: br\r\n"), likely: likely, isFromProxy: true) == nil)
        }
        content.advance()
        #expect(responses.find(bytes, likely: nil, isFromProxy: true) == nil)
    }

    /// The languages decide by the first one, in lower case.
    private static let choice = LanguageChoice { languages in
        var first = ""
        for index in 0..<languages.count where languages[index] != UInt8(ascii: ",") && index < 2 {
            first.append(Character(Unicode.Scalar(languages[index] | 0x20)))
        }
        return first
    }

    /// Returns a stored response to a request that has asked for its languages.
    private func stored(
        _ bytes: [UInt8], by languages: LanguageChoice?, isFromProxy: Bool = false, in responses: Table
    ) throws -> HTTP1ReadyResponse? {
        let head = try head(bytes).recording()
        _ = AcceptedLanguages(head.fields)
        let view = try #require(responses.view(bytes))
        let response = response(by: languages)
        guard HTTP1ReadyResponse.canShare(response, to: head, view) else { return nil }
        let made = HTTP1ReadyResponse(response, to: head, bytes.span, view, isFromProxy: isFromProxy, after: opening)
        let ready = try #require(made)
        #expect(responses.insert(ready, view) != nil)
        return ready
    }

    @Test("A response that depends on the outcome of languages is shared by requests with this outcome, next to the others")
    func languages() throws {
        let responses = Table(seed: 1)
        func bytes(_ fields: String) -> [UInt8] { text("/a", "X-Request-ID: 1\r\n\(fields)") }
        func found(_ fields: String) -> ReadyResponse? { responses.find(bytes(fields), likely: nil)?.response }
        #expect(try stored(bytes("Accept-Language: de\r\n"), by: nil, in: responses) == nil)
        let german = try stored(bytes("Accept-Language: de, x-1\r\n"), by: Self.choice, in: responses)
        #expect(german != nil && found("accept-language: DE-at;q=0.5\r\nUser-Agent: b\r\n") === german)
        #expect(found("Accept-Language: en\r\n") == nil && found("") == nil)
        let english = try stored(bytes("Accept-Language: en\r\n"), by: Self.choice, in: responses)
        let none = try stored(bytes(""), by: Self.choice, in: responses)
        for number in 0..<3 {
            #expect(found("User-Agent: \(number)\r\nAccept-Language: en, x-\(number)\r\n") === english && english != nil)
            #expect(found("Accept-Language: de, x-\(number)\r\n") === german)
            #expect(found("") === none && found("Accept-Language:\r\n") === none && none != nil)
        }
        for fields in [
            "Accept-Language: de\r\nAccept-Language: de\r\n", "Accept-Language: es\r\n", "Accept-Language: de\r\nAccept-Encoding: br\r\n",
            "Accept-Language: de\r\nCookie: a\r\n", "Accept-Language: de\r\nAuthorization: a\r\n",
        ] {
            #expect(found(fields) == nil, "\(fields)")
        }
        #expect(try stored(bytes("Accept-Language: de\r\nAccept-Language: en\r\n"), by: Self.choice, in: responses) == nil)
        content.advance()
        #expect(found("Accept-Language: de\r\n") == nil && found("Accept-Language: en\r\n") == nil)
        let newest = try stored(bytes("Accept-Language: es\r\n"), by: Self.choice, in: responses)
        #expect(found("Accept-Language: es-MX\r\n") === newest && found("Accept-Language: en\r\n") == nil)
    }

    @Test("The outcomes of languages of a proxy's clients are not those of other clients")
    func languagesOfProxy() throws {
        let responses = Table(seed: 1)
        let (german, english) = (
            text("/a", "Accept-Language: de\r\nX-Request-ID: 1\r\n"), text("/a", "Accept-Language: en\r\nX-Request-ID: 1\r\n")
        )
        func found(_ bytes: [UInt8], isFromProxy: Bool) -> ReadyResponse? {
            responses.find(bytes, likely: nil, isFromProxy: isFromProxy)?.response
        }
        for bytes in [german, english] { #expect(try stored(bytes, by: Self.choice, in: responses) != nil) }
        #expect(found(german, isFromProxy: false) != nil && found(english, isFromProxy: false) != nil)
        #expect(found(german, isFromProxy: true) == nil && found(english, isFromProxy: true) == nil)
        // The place of the declared lines has one for the proxy then, so that the next one is found.
        let spanish = text("/a", "Accept-Language: es\r\nX-Request-ID: 1\r\n")
        let made = try stored(spanish, by: Self.choice, isFromProxy: true, in: responses)
        #expect(made != nil && found(spanish, isFromProxy: true) === made && found(spanish, isFromProxy: false) == nil)
        // The place of the outcome still has the one for other clients.
        #expect(found(english, isFromProxy: true) == nil)
    }

    @Test("A request with several lines of languages does not prevent a response to later requests")
    func severalLines() throws {
        let responses = Table(seed: 1)
        func isStored(_ path: String, _ fields: String, by languages: LanguageChoice?) throws -> Bool {
            let bytes = text(path, "X-Request-ID: 1\r\n\(fields)")
            let head = try head(bytes).recording()
            _ = AcceptedLanguages(head.fields)
            let response = response(by: languages)
            guard let repetition = responses.repetition(of: head, bytes) else { return false }
            let place = responses.insert(repetition, of: response, to: head) { view in
                HTTP1ReadyResponse(response, to: head, bytes.span, view, after: opening)
            }
            return place != nil
        }
        let (one, two) = ("Accept-Language: de\r\n", "Accept-Language: de\r\nAccept-Language: en\r\n")
        for (path, choice) in [("/a", Self.choice), ("/b", nil)] {
            let stored = try [one, two, one].map { try isStored(path, $0, by: choice) }
            #expect(stored == [false, false, choice != nil])
        }
        // The response to the second request depended on all of its languages, so no later one is prepared.
        #expect(try !isStored("/b", one, by: Self.choice))
    }

    @Test("A response for which another field was looked up is sent only to requests with the same bytes")
    func undeclared() throws {
        let responses = Table(seed: 1)
        let (bytes, individual) = (text("/a"), text("/a", "X-Request-ID: 1\r\n"))
        for (bytes, isRepeatable) in [(bytes, true), (individual, false)] {
            let head = try head(bytes).recording()
            let view = try #require(responses.view(bytes))
            let shared = HTTP1ReadyResponse(response(), to: head, bytes.span, view, after: opening)
            #expect(shared?.declaredLines != nil)
            _ = head.fields[.acceptLanguage]
            let made = HTTP1ReadyResponse(response(), to: head, bytes.span, view, after: opening)
            #expect((made != nil) == isRepeatable && made?.declaredLines == nil)
        }
        let view = try #require(responses.view(bytes))
        #expect(!responses.isRepeated(view) && responses.isRepeated(view) && responses.isRepeated(view))
        responses.noteUndeclared(view)
        #expect(!responses.isRepeated(view))
        responses.removeAll()
        #expect(responses.isRepeated(view), "the next content may have another response")
    }

    @Test("A response is not found after the release of the representation from which it was made")
    func source() throws {
        let bytes = text("/a")
        let responses = Table(seed: 1)
        var representation: Representation? = Representation(Array("text".utf8), type: "text/plain", version: "1", effort: nil)
        var response = self.response()
        response.repetition = Repetition(of: content, from: content.current, representation, until: .never)
        let ready = HTTP1ReadyResponse(response, to: try head(bytes), bytes.span, after: opening)
        let place = responses.insert(try #require(ready))
        withExtendedLifetime(representation) { #expect(responses.find(bytes, likely: place) != nil) }
        representation = nil
        #expect(responses.find(bytes, likely: place) == nil)
    }

    @Test("A table with more requests than places has only correct responses", arguments: Seeds.fixed(2))
    func displaced(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let responses = Table(seed: seed)
        var expected: [Int: ReadyResponse] = [:]
        var found = 0
        var likely: Int?
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<1_000, using: &random)
            let bytes = text("/\(number)", number % 7 == 0 ? "A: b\r\n" : "")
            if let (ready, place) = responses.find(bytes, likely: likely) {
                found += 1
                likely = place
                guard ready === expected[number] else {
                    Issue.record("seed \(seed): /\(number) has the response of another request")
                    return
                }
            } else {
                let ready = try ready(bytes)
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
        let bytes = text("/a")
        #expect(!responses.isRepeated(bytes))
        #expect(responses.isRepeated(bytes) && responses.isRepeated(bytes))
        responses.removeAll()
        #expect(responses.isRepeated(bytes), "it is known before the next second")
        for number in 0..<5_000 { #expect(!responses.isRepeated(text("/\(number)", "X: y\r\n"))) }
        #expect(!responses.isRepeated(bytes), "others displace it")
        let long = text("/" + String(repeating: "a", count: ReadyResponse.longestHead))
        for _ in 0..<2 { #expect(!responses.isRepeated(long)) }
    }

    @Test("All responses together keep a limited number of bytes in memory, and none after they are removed")
    func memory() throws {
        let responses = Table(seed: 3)
        var live: [WeakBytes] = []
        for number in 0..<400 {
            let bytes = text("/\(number % 300)")
            let body = SharedBytes([UInt8](repeating: 7, count: 500_000))
            live.append(WeakBytes(bytes: body))
            #expect(responses.insert(try ready(bytes, .stored(body))) != nil)
            #expect(responses.bytes <= ReadyResponses.maxBytes)
        }
        let bytes = live.compactMap(\.bytes?.count).reduce(0, +)
        #expect(bytes > 0 && bytes <= ReadyResponses.maxBytes)
        #expect(responses.bytes >= bytes)
        let huge = SharedBytes([UInt8](repeating: 7, count: ReadyResponses.longestResponse))
        let before = responses.bytes
        #expect(responses.insert(try ready(text("/huge"), .stored(huge))) == nil && responses.bytes == before)
        responses.removeAll()
        #expect(responses.bytes == 0 && live.allSatisfy { $0.bytes == nil })
        // A replaced response no longer counts.
        for _ in 0..<3 { _ = responses.insert(try ready(text("/a"))) }
        #expect(try responses.bytes == ready(text("/a")).size)
    }

    /// A table as an object.
    private final class Table {
        private var responses: ReadyResponses

        init(seed: UInt64) { responses = ReadyResponses(seed: seed) }

        var bytes: Int { responses.bytes }

        func find(_ bytes: [UInt8], likely: Int?, isFromProxy: Bool = false) -> (response: ReadyResponse, place: Int?)? {
            if let likely, let response = responses.find(bytes.span, at: likely) {
                return response.repetition.isCurrent ? (response, likely) : nil
            }
            guard let view = responses.view(of: bytes.span, HTTP1Limits()) else { return nil }
            var place = likely
            return responses.find(view, of: bytes.span, isFromProxy: isFromProxy, near: &place).map { ($0, place) }
        }

        func view(_ bytes: [UInt8]) -> RequestHeadView? { responses.view(of: bytes.span, HTTP1Limits()) }

        func isRepeated(_ view: RequestHeadView) -> Bool { responses.isRepeated(view) }

        func noteUndeclared(_ view: RequestHeadView) { responses.noteUndeclared(view) }

        func repetition(of head: RequestHead, _ bytes: [UInt8]) -> PossibleRepetition? {
            responses.repetition(of: head, bytes.span, view(bytes))
        }

        func insert(
            _ repetition: PossibleRepetition, of response: Response, to head: RequestHead, _ make: (RequestHeadView?) -> ReadyResponse?
        ) -> Int? {
            responses.insert(repetition, of: response, to: head, make)
        }

        func insert(_ response: ReadyResponse, _ view: RequestHeadView) -> Int? { responses.insert(response, view) }

        func isRepeated(_ head: [UInt8]) -> Bool { responses.isRepeated(head.span) }

        func insert(_ response: ReadyResponse) -> Int? { responses.insert(response) }

        func removeAll() { responses.removeAll() }
    }
}

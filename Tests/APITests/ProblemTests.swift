import HTTPMessages
import Postgres
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("Problems")
struct ProblemTests {
    private static let documents: [String: Problem] = {
        var issues = Problem(.unprocessableContent, code: "invalidFeed", detail: "The feed has 2 errors.")
        issues.issues = [
            Problem.FieldError(pointer: "/sections/0/title", message: "is empty"),
            Problem.FieldError(pointer: "/a~1b", message: "has \"quotes\" and\na line"),
        ]
        var method = Problem(.methodNotAllowed, detail: "The path does not support this method. Use one of GET.")
        method.allowed = [.get]
        return [
            "issues": issues, "method": method,
            "refusal": Problem(RequestError(.headersTooLarge, "the headers are larger than this server accepts")),
            "unavailable": Problem(.unavailable, code: "notReady", detail: "The server is not ready: stopping."),
        ]
    }()

    @Test("The document of a problem equals its golden", arguments: documents.keys.sorted())
    func document(name: String) throws {
        let problem = try #require(Self.documents[name])
        let id = RequestID(try head("GET /", name == "refusal" ? [] : ["X-Request-ID: r-1"]))
        let response = problem.response(id: name == "refusal" ? nil : id)
        let fields = response.fields.map { "\($0.name): \($0.value)\n" }.joined()
        let text = "\(response.status)\n\(fields)\n\(response.text)\n"
        #expect(text == (try Golden("problem-\(name).txt").text(recording: text)))
    }

    @Test("The default code of a status derives from its reason phrase")
    func codes() {
        for (status, code) in [
            (Status.notFound, "notFound"), (.targetTooLong, "uriTooLong"), (.gone, "gone"), (.internalError, "internalServerError"),
        ] {
            #expect(Problem(status, detail: "").code.text == code)
        }
    }

    @Test("The title is the code in words, with acronyms in capitals")
    func titles() {
        for (status, title) in [
            (Status.notFound, "Not found"), (.targetTooLong, "URI too long"), (.versionNotSupported, "HTTP version not supported"),
        ] {
            #expect(Problem(status, detail: "").response().text.contains(#""title":"\#(title)""#))
        }
    }

    @Test("A temporary problem has `Retry-After`", arguments: [Status.unavailable, .tooManyRequests, .notFound, .conflict])
    func retry(status: Status) {
        let isLater = status == .unavailable || status == .tooManyRequests
        #expect(Problem(status, detail: "").response()[.retryAfter] == (isLater ? ["1"] : []))
    }

    @Test("A database error is mapped to a status for the client, without its message")
    func database() {
        let cases: [(PostgresError, Status)] = [
            (PostgresError(.refused, "hunter2", sqlState: SQLState(rawValue: "22P02")), .unprocessableContent),
            (PostgresError(.refused, "hunter2", sqlState: SQLState(rawValue: "23505")), .conflict),
            (PostgresError(.refused, "hunter2", sqlState: SQLState(rawValue: "40001")), .unavailable),
            (PostgresError(.refused, "hunter2", sqlState: SQLState(rawValue: "42601")), .internalError),
            (PostgresError(.connectFailed, "hunter2"), .unavailable), (PostgresError(.overloaded, "hunter2"), .unavailable),
        ]
        for (error, status) in cases {
            let response = Problem(error).response()
            #expect(response.status == status)
            #expect(!response.text.contains("hunter2") && response[.retryAfter] == (status == .unavailable ? ["1"] : []))
        }
    }

    @Test("A problem that a handler throws becomes the response, with the request ID")
    func thrown() async throws {
        let route = Route(.get, "/{number}") { call throws(Problem) in
            let number = try call.parameters.value("number") { Int($0) }
            return .now(Response(.ok, body: Body("\(number)")))
        }
        let application = Application([route])
        #expect(try await application.send("GET /41").text == "41")
        let response = try await application.send("GET /forty", ["X-Request-ID: mine"])
        #expect(response.status == .notFound && response.text.contains(#""requestId":"mine""#))
    }
}

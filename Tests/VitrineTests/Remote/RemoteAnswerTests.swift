import HTTPMessages
import Testing

@testable import Admin
@testable import HTTP

@Suite("What a server answers")
struct RemoteAnswerTests {
    @Test(
        "has a tag only where a condition can name it",
        arguments: [("\"a1\"", "\"a1\""), ("W/\"a1\"", "W/\"a1\""), ("\"a\tb\"", nil), ("\"a b\"", nil), ("", nil)] as [(String, String?)])
    func tag(value: String, tag: String?) throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: \(value)\r\n\r\n"
        var reader = ResponseHeadReader(HTTP1Limits(), isBodyless: false)
        let bytes = Array(text.utf8)
        guard case .head(let head, _) = reader.read(bytes.span) else {
            Issue.record("it is no head")
            return
        }
        #expect(InboundResponse(status: head.status, fields: head.fields, body: []).tag == tag)
    }
}

import Arguments
import HTTPMessages
import Testing

@testable import CLI
@testable import HTTP

@Suite("A response of a server")
struct RemoteResponseTests {
    @Test(
        "A response has a tag only if a condition can name it",
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

    @Test(
        "A response of a proxy has an exit code",
        arguments: [(413, .invalid), (502, .unreachable), (503, .unreachable), (504, .unreachable), (500, .failed)] as [(Int, ExitCode)])
    func proxies(status: Int, exitCode: ExitCode) {
        let status = Status(rawValue: status)
        let failure = RemoteError(InboundResponse(status: status, fields: HTTPFields(), body: Array("<html>".utf8)))
        #expect(failure.exitCode == exitCode && failure.message.hasPrefix("the server responded with \(status.rawValue)"), "\(failure)")
    }
}

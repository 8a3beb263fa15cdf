import EventLoop
import HTTP
import HTTPMessages
import Host
import TestDatabase
import Testing

@testable import CLI

@Suite("The images of a picture")
struct PageImagesTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]

    @Test("Images are loaded without the token, each once, with the media type of their bytes")
    func loaded() async throws {
        let tokens = Locked<[String?]>([])
        let respond: @Sendable (Request) -> HandlerResult = { request in
            tokens.withLock { $0.append(request.head.fields[.authorization]) }
            let isVector = request.head.target.path.hasSuffix(".svg")
            let type = isVector ? "image/svg+xml; charset=utf-8" : "text/plain"
            return .now(Response(.ok, fields: [ResponseField(.contentType, type)], body: Body(isVector ? Array("<svg/>".utf8) : Self.png)))
        }
        try await StubServer.run(respond) { server, client in
            let urls = ["/a.png", "\(server.url)/b.svg", "\(server.url)/c d.jpg#x"]
            let images = try await PageImages(urls, of: client)
            #expect(images.warnings.isEmpty)
            #expect(images.data[urls[0]] == "data:image/png;base64,iVBORw0K" && images.data[urls[2]] == images.data[urls[0]])
            #expect(images.data[urls[1]] == "data:image/svg+xml;base64,PHN2Zy8+")
            #expect(server.requests == ["GET /a.png", "GET /b.svg", "GET /c%20d.jpg"])
            #expect(tokens.withLock { $0.allSatisfy { $0 == nil } })
        }
    }

    @Test("An image that is missing, too large, or of another type has a warning with its URL, and the others are loaded")
    func missing() async throws {
        let respond: @Sendable (Request) -> HandlerResult = { request in
            switch request.head.target.path {
            case "/none.png": .now(Response(.notFound))
            case "/page.png": .now(Response(.ok, fields: [ResponseField(.contentType, "text/html")], body: Body("<html>")))
            case "/large.png": .now(Response(.ok, body: Body(Self.png + [UInt8](repeating: 0, count: 4 << 20))))
            default: .now(Response(.ok, body: Body(Self.png)))
            }
        }
        try await StubServer.run(respond) { server, client in
            let images = try await PageImages(["/none.png", "/page.png", "/large.png", "data:image/png;base64,AA==", "/a.png"], of: client)
            #expect(Array(images.data.keys) == ["/a.png"])
            let reasons = [
                "/none.png: the server responded with 404", "/page.png: it is not a PNG, JPEG, GIF, WebP or SVG image", "/large.png: ",
                "data:image/png;base64,AA==: expected an http or https URL",
            ]
            #expect(images.warnings.count == reasons.count)
            for (warning, reason) in zip(images.warnings, reasons) {
                #expect(warning.hasPrefix("warning: cannot load the image \(reason)"), "\(warning)")
            }
        }
    }

    @Test("A server that does not respond is asked once, and has one warning")
    func unavailable() async throws {
        try await StubServer.run({ _ in .now(Response(.ok, body: Body(Self.png))) }) { server, client in
            let urls = ["http://127.0.0.1:9/a.png", "http://127.0.0.1:9/b.png", "/a.png"]
            let images = try await PageImages(urls, of: client)
            #expect(images.warnings.count == 1 && images.warnings.first?.contains("127.0.0.1:9/a.png: no server is listening at") == true)
            #expect(Array(images.data.keys) == ["/a.png"] && server.requests == ["GET /a.png"])
        }
    }
}

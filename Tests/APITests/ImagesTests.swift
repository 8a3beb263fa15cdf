import Artwork
import HTTPMessages
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Images")
struct ImagesTests {
    private static let application = Application([.images()])
    private static let path = "/v1/images/0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10"

    @Test("Every variant is an SVG with an immutable cache lifetime", arguments: ["icon", "hero", "screenshot"])
    func variants(variant: String) async throws {
        let response = try await Self.application.send("GET \(Self.path)/\(variant)")
        #expect(
            response.status == .ok && response.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\"")
                && response.text.hasSuffix("</svg>\n"))
        #expect(response[.contentType] == ["image/svg+xml"] && response[.cacheControl] == ["public, max-age=31536000, immutable"])
        #expect(try await Self.application.send("HEAD \(Self.path)/\(variant)")[.etag] == response[.etag])
    }

    @Test("A matching ETag gets 304, and each variant has its own ETag")
    func conditions() async throws {
        let tags = try await ["icon", "hero", "screenshot"].asyncMap { try await Self.application.send("GET \(Self.path)/\($0)")[.etag] }
        #expect(Set(tags).count == 3 && tags.allSatisfy { $0.count == 1 })
        let again = try await Self.application.send("GET \(Self.path)/icon", ["If-None-Match: \(tags[0][0])"])
        #expect(again.status == .notModified && again.body.count == 0 && again[.cacheControl] == ["public, max-age=31536000, immutable"])
        #expect(try await Self.application.send("GET \(Self.path)/hero", ["If-None-Match: \(tags[0][0])"]).status == .ok)
    }

    @Test("The cache of images has a limit")
    func room() throws {
        let drawings = ImageCache(limit: 2)
        let ids = try (0..<3).map { try #require(UUID("0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a1\($0)")) }
        let first = drawings[ids[0], .icon]
        _ = drawings[ids[1], .icon]
        #expect(drawings[ids[0], .icon] === first)
        let second = drawings[ids[1], .icon]
        #expect(drawings[ids[0], .icon] === first)
        _ = drawings[ids[2], .icon]
        // Each insertion evicts one image, so random IDs do not evict popular ones.
        #expect(drawings[ids[0], .icon] === first && drawings[ids[1], .icon] !== second)
    }

    @Test("The ID is case-insensitive, and the image is compressed if the client accepts that")
    func spelling() async throws {
        let lower = try await Self.application.send("GET \(Self.path)/icon")
        #expect(try await Self.application.send("GET \(Self.path.uppercasedID)/icon").text == lower.text)
        let small = try await Self.application.send("GET \(Self.path)/icon", ["Accept-Encoding: br"])
        #expect(small[.contentEncoding] == ["br"] && (small.body.count ?? .max) < (lower.body.count ?? 0) && small[.etag] != lower[.etag])
    }

    @Test(
        "An invalid ID or variant gets 404",
        arguments: [
            "\(path)/ICON", "\(path)/icon.svg", "\(path)/", path, "/v1/images/harbor-notes/icon",
            "/v1/images/0d0f8a3e7f6c4a439a516f1f6c2f7a10/icon",
            "/v1/images/0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a1g/icon",
        ])
    func missing(path: String) async throws {
        let response = try await Self.application.send("GET \(path)")
        #expect(response.status == .notFound)
        #expect(response[.cacheControl] == ["no-store"])
    }
}

extension String {
    fileprivate var uppercasedID: String { "/v1/images/\(dropFirst(11).uppercased())" }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}

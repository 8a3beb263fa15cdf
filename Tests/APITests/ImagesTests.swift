import Artwork
import EventLoop
import Foundation
import HTTPMessages
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Images")
struct ImagesTests {
    private static let id = "0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10"
    private static let path = "/v1/images/1/\(id)"

    /// Runs a test with the routes and the service of images.
    private func withImages(
        maxBytes: Int = 64 << 20, maxRequests: Int = 256, _ body: (Application, ImageService, Painters) async throws -> Void
    ) async throws {
        let group = try EventLoopGroup(name: "images", count: 3)
        let painters = Painters(Array(group.loops.dropFirst()), relay: group.loops[0])
        let service = ImageService(on: painters, maxBytes: maxBytes, maxRequests: maxRequests)
        let result: Result<Void, any Error>
        do { result = .success(try await body(Application([.images(service)]), service, painters)) } catch { result = .failure(error) }
        await group.stop()
        try result.get()
    }

    private static func key(_ number: UInt64) -> ImageService.Key {
        ImageService.Key(id: UUID(high: 7, low: number), size: ArtworkRole.icon.sizes[0], format: .png)
    }

    @Test("Every size of every role is a PNG and an SVG with an immutable cache lifetime")
    func sizes() async throws {
        try await withImages { application, _, _ in
            for role in ArtworkRole.allCases {
                for size in role.sizes {
                    let svg = try await application.send(
                        "GET \(Self.path)/\(role.rawValue)/\(size.name).svg", ["Accept-Encoding: identity"])
                    #expect(svg.status == .ok && svg[.contentType] == ["image/svg+xml"] && svg[.vary] == ["accept-encoding"])
                    let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\""
                    #expect(svg.text.hasPrefix(start) && svg.text.hasSuffix("</svg>\n"))
                    let png = try await application.send("GET \(Self.path)/\(role.rawValue)/\(size.name).png")
                    #expect(png.status == .ok && png[.contentType] == ["image/png"] && png[.vary] == [] && png[.contentEncoding] == [])
                    guard case .stored(let bytes) = png.body else { throw CancellationError() }
                    #expect(bytes.array.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.array[16..<24].elementsEqual(size.bigEndian))
                    for response in [svg, png] { #expect(response[.cacheControl] == ["public, max-age=31536000, immutable"]) }
                }
            }
        }
    }

    @Test("A matching ETag gets 304, and each file has its own ETag")
    func conditions() async throws {
        try await withImages { application, _, _ in
            var tags: [String] = []
            for file in ["icon/120x120.png", "icon/120x120.svg", "icon/240x240.png", "hero/640x360.png"] {
                let response = try await application.send("GET \(Self.path)/\(file)")
                let tag = try #require(response[.etag].first)
                #expect(try await application.send("HEAD \(Self.path)/\(file)")[.etag] == [tag])
                let again = try await application.send("GET \(Self.path)/\(file)", ["If-None-Match: \(tag)"])
                #expect(again.status == .notModified && again.body.count == 0 && again[.cacheControl] == response[.cacheControl])
                tags.append(tag)
            }
            #expect(Set(tags).count == 4)
        }
    }

    @Test("The ID is case-insensitive, and an SVG is compressed if the client accepts that")
    func spelling() async throws {
        try await withImages { application, _, _ in
            let lower = try await application.send("GET \(Self.path)/icon/120x120.svg")
            let upper = try await application.send("GET /v1/images/1/\(Self.id.uppercased())/icon/120x120.svg")
            #expect(upper.status == .ok && upper.text == lower.text)
            let small = try await application.send("GET \(Self.path)/icon/120x120.svg", ["Accept-Encoding: br"])
            #expect(
                small[.contentEncoding] == ["br"] && (small.body.count ?? .max) < (lower.body.count ?? 0) && small[.etag] != lower[.etag])
        }
    }

    @Test(
        "Another version, ID, role, size or format gets 404",
        arguments: [
            "1/\(id)/ICON/120x120.png", "1/\(id)/icon/121x121.png", "1/\(id)/icon/640x360.png", "1/\(id)/hero/120x120.png",
            "1/\(id)/icon/120x120.PNG", "1/\(id)/icon/120x120.jpg", "1/\(id)/icon/120x120", "1/\(id)/icon/120x120.png.svg",
            "1/\(id)/icon/%7Bw%7Dx%7Bh%7D.png", "1/\(id)/icon/", "1/\(id)/icon", "0/\(id)/icon/120x120.png", "2/\(id)/icon/120x120.png",
            "01/\(id)/icon/120x120.png", "1/harbor-notes/icon/120x120.png", "1/\(id.dropLast())g/icon/120x120.png", "\(id)/icon",
        ])
    func missing(path: String) async throws {
        try await withImages { application, _, _ in
            let response = try await application.send("GET /v1/images/\(path)")
            #expect(response.status == .notFound && response[.cacheControl] == ["no-store"])
        }
    }

    @Test("Requests for the same PNG at the same time share one drawing")
    func shared() async throws {
        try await withImages { _, service, painters in
            let work = try await BlockedPainters(painters)
            let requests = (0..<50).map { _ in Task { try await service.png(Self.key(1)) } }
            await wait(while: service.drawings.uses < 50)
            await work.release()
            let first = try await requests[0].value
            for request in requests { #expect(try await request.value === first) }
            #expect(try await service.png(Self.key(1)) === first)
        }
    }

    @Test("With a full queue another PNG gets 503 with Retry-After, and cached images and SVGs are sent")
    func full() async throws {
        try await withImages { application, service, painters in
            let cached = try await application.send("GET \(Self.path)/icon/120x120.png")
            let work = try await BlockedPainters(painters)
            let uses = service.drawings.uses
            let waiting = (0..<34).map { number in Task { try await service.png(Self.key(UInt64(number))) } }
            await wait(while: service.drawings.uses < uses + 34)
            let refused = try await application.send("GET \(Self.path)/icon/240x240.png")
            #expect(
                refused.status == .unavailable && (1...10).contains(refused[.retryAfter].first.flatMap { Int($0) } ?? 0)
                    && refused.text.contains("\"imagesOverloaded\""))
            #expect(refused[.cacheControl] == ["no-store"])
            #expect(try await application.send("GET \(Self.path)/icon/120x120.png")[.etag] == cached[.etag])
            #expect(try await application.send("GET \(Self.path)/icon/240x240.svg").status == .ok)
            await work.release()
            for request in waiting { _ = try await request.value }
            #expect(try await application.send("GET \(Self.path)/icon/240x240.png").status == .ok)
        }
    }

    @Test("With too many waiting requests another one gets 503, and requests that the server never runs do not count")
    func waitingRequests() async throws {
        try await withImages(maxRequests: 1) { application, service, painters in
            let path = "\(Self.path)/icon/240x240.png"
            for _ in 0..<3 {
                _ = application.service.respond(
                    Request(
                        head: try head("GET \(path)"), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .never))
            }
            let work = try await BlockedPainters(painters)
            let uses = service.drawings.uses
            async let first = application.send("GET \(path)")
            await wait(while: service.drawings.uses == uses)
            let second = try await application.send("GET \(path)")
            #expect(second.status == .unavailable && second.text.contains("\"imagesOverloaded\""))
            await work.release()
            #expect(try await first.status == .ok)
            #expect(try await application.send("GET \(Self.path)/icon/480x480.png").status == .ok)
        }
    }

    @Test("A canceled request leaves the queue, and the thread draws the next one")
    func cancelled() async throws {
        try await withImages { _, service, painters in
            let work = try await BlockedPainters(painters)
            let canceled = Task { try await service.png(Self.key(1)) }
            await wait(while: service.drawings.uses < 1)
            let joined = Task { try await service.png(Self.key(1)) }
            await wait(while: service.drawings.uses < 2)
            canceled.cancel()
            await #expect(throws: CancellationError.self) { try await canceled.value }
            await work.release()
            #expect(try await joined.value.count > 0)
        }
    }

    @Test("The images of 1,000 random IDs do not evict those that are used again")
    func retained() async throws {
        let limit = 400_000
        try await withImages(maxBytes: limit) { _, service, _ in
            var used: [Representation] = []
            for number in 0..<20 as Range<UInt64> {
                used.append(try await service.png(Self.key(number)))
                #expect(try await service.png(Self.key(number)) === used.last)
            }
            for number in 0..<1_000 as Range<UInt64> { _ = try await service.png(Self.key(1_000 + number)) }
            #expect(service.bytes <= limit && service.bytes > limit / 4)
            for (number, image) in used.enumerated() { #expect(try await service.png(Self.key(UInt64(number))) === image) }
        }
    }
}

extension ArtworkSize {
    /// The width and the height in the form of a PNG header.
    fileprivate var bigEndian: [UInt8] { [width, height].flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 255)] } }
}

/// Work that occupies all painters until it is released.
private struct BlockedPainters {
    private let lock: DispatchSemaphore
    private let tasks: [Task<Void, any Error>]

    init(_ painters: Painters) async throws {
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let lock = DispatchSemaphore(value: 0)
        self.lock = lock
        tasks = (0..<painters.count).map { _ in
            Task {
                try await painters.run {
                    starter.yield()
                    lock.wait()
                }
            }
        }
        var count = 0
        for await _ in started {
            count += 1
            if count == painters.count { break }
        }
    }

    func release() async {
        for _ in tasks { lock.signal() }
        for task in tasks { _ = await task.result }
    }
}

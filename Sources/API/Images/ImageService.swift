internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Security
internal import Values

/// The generated images of items without their own. It keeps the images that are used again.
package final class ImageService: Sendable {
    struct Key: Hashable {
        enum Format: String {
            case png, svg
        }

        let id: UUID
        let size: ArtworkSize
        let format: Format
    }

    private let painters: Painters
    private let images: Locked<SegmentedCache<Key, Representation>>
    /// The requests that wait for a PNG file. Each of them keeps a request of its event loop in progress.
    private let waiting = Locked(0)
    private let maxRequests: Int
    /// The PNG files that wait or are drawn. The results are cached in `images`.
    let drawings: SharedBuildCache<Key, Representation>

    /// Creates the service. `maxBytes` is the size of the cached images. `maxWaiting` is the number of PNG files that
    /// wait for a painter. Two painters draw as many of the largest ones in about seven seconds on an idle machine.
    /// `maxRequests` is the number of requests that wait for these files.
    package init(on painters: Painters, maxBytes: Int = 64 << 20, maxWaiting: Int = 32, maxRequests: Int = 256) {
        self.painters = painters
        self.maxRequests = maxRequests
        images = Locked(SegmentedCache(limit: maxBytes))
        drawings = SharedBuildCache(maxBytes: 0, maxBuilding: painters.count + maxWaiting) { _, _ in 1 }
    }

    func respond(_ key: Key, to context: RequestContext) -> HandlerResult {
        if let known = cached(key) { return context.respond(known) }
        switch key.format {
        case .svg: return context.respond(svg(key))
        case .png:
            return context.later { [self] loop in
                // Counted here, because the server may refuse the request and never run this.
                guard reserve() else { throw Self.overloaded }
                defer { waiting.withLock { $0 -= 1 } }
                return try await context.response(png(key), on: loop)
            }
        }
    }

    /// Counts a request that waits. Returns false if too many do.
    private func reserve() -> Bool {
        waiting.withLock { waiting in
            guard waiting < maxRequests else { return false }
            waiting += 1
            return true
        }
    }

    /// The problem has a random delay, so that the clients retry at different times.
    private static var overloaded: Problem {
        var problem = Problem(
            .unavailable, code: "imagesOverloaded", detail: "The server is drawing too many images. Try again later.")
        problem.retryAfter = Int.random(in: 1...10)
        return problem
    }

    /// The size of the cached images, in bytes.
    var bytes: Int { images.withLock { $0.size } }

    private func cached(_ key: Key) -> Representation? { images.withLock { $0.value(of: key) } }

    private func keep(_ representation: Representation, _ key: Key) {
        images.withLock { $0.insert(representation, key, size: representation.bytes) }
    }

    func png(_ key: Key) async throws -> Representation {
        do {
            return try await drawings.value(of: key, for: self) {
                // Another request may have drawn it after the check above.
                if let known = cached(key) { return known }
                let representation = try await painters.run { try Self.draw(key) }
                keep(representation, key)
                return representation
            }
        } catch is SharedBuildCache<Key, Representation>.TooMany {
            throw Self.overloaded
        }
    }

    private func svg(_ key: Key) -> Representation {
        let drawing = Artwork(high: key.id.high, low: key.id.low).svg(key.size)
        let representation = Representation(
            drawing, type: "image/svg+xml", version: Digest.tag(of: drawing), fields: [Self.immutable], effort: .quick)
        keep(representation, key)
        return representation
    }

    /// Draws a PNG file. It is already compressed, so it does not vary.
    private static func draw(_ key: Key) throws -> Representation {
        let drawing = Artwork(high: key.id.high, low: key.id.low).png(key.size) { Deflate.compress($0, into: .zlib, level: 6) }
        guard let drawing else { throw OutOfMemory() }
        return Representation(
            drawing, type: "image/png", version: Digest.tag(of: drawing), fields: [immutable], vary: nil, effort: nil)
    }

    private struct OutOfMemory: Error {}

    private static let immutable = ResponseField(.cacheControl, "public, max-age=31536000, immutable")
}

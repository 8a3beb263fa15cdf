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
    /// The PNG files that wait or are drawn. The results are cached in `images`.
    let drawings: SharedBuildCache<Key, Representation>

    /// `maxBytes` is the size of the cached images. `maxWaiting` is the number of PNG files that wait for a painter. Two
    /// painters draw as many of the largest ones in about seven seconds.
    package init(on painters: Painters, maxBytes: Int = 64 << 20, maxWaiting: Int = 32) {
        self.painters = painters
        images = Locked(SegmentedCache(limit: maxBytes))
        drawings = SharedBuildCache(maxBytes: 0, maxBuilding: painters.count + maxWaiting) { _, _ in 1 }
    }

    func respond(_ key: Key, to context: RequestContext) -> HandlerResult {
        if let known = cached(key) { return context.respond(known) }
        switch key.format {
        case .svg: return context.respond(svg(key))
        case .png: return context.later { [self] loop in try await context.response(png(key), on: loop) }
        }
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
            throw Problem(.unavailable, code: "imagesOverloaded", detail: "The server is drawing too many images. Try again later.")
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

internal import Drawing
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Security
internal import Values

/// The images of a page that a picture includes, as `data:` URLs. A missing image is reported and does not fail the
/// picture.
struct PageImages: Sendable {
    private static let maxBytes = 4 << 20
    private static let timeout = Duration.seconds(10)
    private static let totalTimeout = Duration.seconds(30)

    private(set) var data: [String: String] = [:]
    /// A line for each image that is missing, and one for each server that does not respond.
    private(set) var warnings: [String] = []

    /// Loads images, from the server of the page or another one. Never sends the token.
    init(_ urls: [String], of page: AdminClient) async throws {
        var clients: [ServerURL: HTTPClient] = [:]
        var unavailable: Set<ServerURL> = []
        let end = Deadline.after(Self.totalTimeout)
        for (index, url) in urls.enumerated() {
            guard Deadline.now < end else {
                warnings.append("warning: \(urls.count - index) more images were not loaded in time")
                break
            }
            guard let address = ImageAddress(url, relativeTo: page.client.server) else {
                warn(url, "expected an http or https URL")
                continue
            }
            guard !unavailable.contains(address.server) else { continue }
            do {
                let client = try clients[address.server] ?? Self.client(of: address.server, on: page.client.loop)
                clients[address.server] = client
                let request = OutboundRequest(address.target, fields: [("accept", "image/*")])
                let response = try await client.send(request, until: min(end, .after(Self.timeout)))
                store(response, of: url)
            } catch let error as HTTPClientError {
                guard error.code != .cancelled else { throw error }
                warn(url, "\(error)")
                switch error.code {
                case .unresolved, .refused, .unreachable, .timedOut, .untrusted, .notEncrypted: unavailable.insert(address.server)
                case .ended, .malformed, .tooLarge, .cancelled, .system: break
                }
            } catch let error as TLSError {
                warn(url, "\(error)")
                unavailable.insert(address.server)
            }
        }
    }

    private static func client(of server: ServerURL, on loop: EventLoop) throws -> HTTPClient {
        var limits = HTTPClientLimits()
        limits.bodyBytes = maxBytes
        return try HTTPClient(server, on: loop, limits: limits)
    }

    private mutating func store(_ response: InboundResponse, of url: String) {
        guard response.status == .ok else { return warn(url, "the server responded with \(response.status.rawValue)") }
        guard let type = Self.type(of: response) else { return warn(url, "it is not a PNG, JPEG, GIF, WebP or SVG image") }
        let text = Base64URL.encode(response.body).replacing("-", with: "+").replacing("_", with: "/")
        data[url] = "data:\(type);base64,\(text)\(String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))"
    }

    private mutating func warn(_ url: String, _ reason: String) {
        warnings.append("warning: cannot load the image \(url.printable(limit: 200)): \(reason.printable(limit: 200))")
    }

    /// Returns the media type by the first bytes of the image. SVG has none and needs the header.
    private static func type(of response: InboundResponse) -> String? {
        let body = response.body
        if body.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if body.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if body.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if body.starts(with: Array("RIFF".utf8)), body.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "image/webp" }
        let isSVG = response.fields[.contentType]?.lowercased().hasPrefix("image/svg+xml") ?? false
        return isSVG ? "image/svg+xml" : nil
    }
}

/// The server and the request target of an image.
struct ImageAddress: Equatable {
    let server: ServerURL
    let target: String

    /// Returns nil if the text is neither an absolute path nor an `http` or `https` URL.
    init?(_ url: String, relativeTo page: ServerURL) {
        let path: String
        if url.hasPrefix("/"), !url.hasPrefix("//") {
            (server, path) = (page, url)
        } else {
            guard let parts = URLParts(url) else { return nil }
            do throws(ServerURL.ParseError) { server = try ServerURL(parsing: parts.server) } catch { return nil }
            path = parts.target
        }
        target = String(path.prefix { $0 != "#" }).percentEncoded { 0x21...0x7E ~= $0 }
    }
}

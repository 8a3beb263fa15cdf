import CBrotliDecoder
import HTTP
import Host
import JSON

/// Decodes pages. Equal bytes are decoded once, because most clients get the bytes of another client.
final class PageDecoder: Sendable {
    private static let maxBytes = 2 << 20

    /// The pages by the hash of their bytes, with and without their content coding.
    private let shared = Locked<[Int: SharedPage]>([:])
    private let comparable = Locked<[Int: ComparablePage]>([:])

    /// Returns the page of a response.
    func page(_ response: ReceivedResponse) throws -> SharedPage {
        try decoded(response, shared) { try SharedPage($0) }
    }

    /// Returns the page of a response in the form for a comparison with another page.
    func comparablePage(_ response: ReceivedResponse) throws -> ComparablePage {
        try decoded(response, comparable) { try ComparablePage($0) }
    }

    private func decoded<Page>(_ response: ReceivedResponse, _ known: Locked<[Int: Page]>, _ decode: ([UInt8]) throws -> Page) throws
        -> Page
    {
        let key = Self.hash(response.body)
        if let page = known.withLock({ $0[key] }) { return page }
        let content = try Self.content(of: response)
        let contentKey = Self.hash(content)
        let page = try known.withLock { $0[contentKey] } ?? decode(content)
        known.withLock { known in
            known[key] = page
            known[contentKey] = page
        }
        return page
    }

    private static func hash(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// Returns the body without its content coding.
    private static func content(of response: ReceivedResponse) throws -> [UInt8] {
        switch response["content-encoding"] {
        case nil: return response.body
        case "gzip"?: return try Deflate.gunzip(response.body, limit: maxBytes).get()
        case "br"?:
            var content = [UInt8](repeating: 0, count: maxBytes)
            var count = content.count
            guard BrotliDecoderDecompress(response.body.count, response.body, &count, &content) == BROTLI_DECODER_RESULT_SUCCESS else {
                throw BenchmarkFailure(reason: "a damaged body")
            }
            return Array(content.prefix(count))
        case let coding?: throw BenchmarkFailure(reason: "an unknown content coding \(coding)")
        }
    }
}

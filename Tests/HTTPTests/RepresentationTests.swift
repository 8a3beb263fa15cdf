import HTTPMessages
import Host
import TestSupport
import Testing

@testable import HTTP

@Suite("Representations", .onOwnThread)
struct RepresentationTests {
    private static let page = Array(String(repeating: "{\"title\":\"Ünder the sea\"},", count: 200).utf8)
    private static let thorough = Representation(page, type: "application/json", version: "v7", effort: .thorough)

    private func head(_ method: String = "GET", _ fields: String...) throws -> RequestHead {
        var reader = HTTP1HeadReader()
        let text = (["\(method) / HTTP/1.1", "Host: shop"] + fields + ["", ""]).joined(separator: "\r\n")
        guard case .head(let head, _) = reader.read(Array(text.utf8).span) else { throw RequestError(.badRequest, text) }
        return head
    }

    @Test(
        "A client gets its preferred coding, with a separate tag for each",
        arguments: [
            ("br;q=1, gzip;q=0.5", "br", "\"v7-br\""), ("gzip", "gzip", "\"v7-gzip\""), ("gzip;q=0, br;q=0", nil, "\"v7\""),
            ("identity, gzip;q=0.1", nil, "\"v7\""), ("zstd", nil, "\"v7\""), ("*;q=0, gzip", "gzip", "\"v7-gzip\""),
            ("*;q=0", nil, "\"v7\""),
        ] as [(String, String?, String)])
    func coding(accepted: String, coding: String?, tag: String) throws {
        let response = Self.thorough.response(to: try head("GET", "Accept-Encoding: \(accepted)"))
        #expect(response.status == .ok)
        #expect(response.value(.contentEncoding) == coding && response.value(.etag) == tag)
        #expect(response.value(.vary) == "accept-encoding" && response.value(.contentType) == "application/json")
    }

    @Test("Compressed bytes can be read by gzip", arguments: [ContentCoding.CompressionLevel.quick, .thorough])
    func decoded(effort: ContentCoding.CompressionLevel) throws {
        let folder = try TemporaryFolder("coding")
        let representation = Representation(Self.page, type: "text/plain", version: "1", effort: effort)
        let bytes = try #require(representation.response(to: try head("GET", "Accept-Encoding: gzip")).bytes)
        #expect(bytes.count < Self.page.count / 10)
        let file = "\(folder.path)/page.gz"
        try Descriptor(opening: file, .create).write(bytes, subject: file)
        let (text, status) = try ProcessLaunch("gzip", ["-dc", file]).output()
        #expect(status.isSuccess && Array(text.utf8) == Self.page)
    }

    @Test("Each coding reaches the client completely", arguments: ["br", "gzip", "br, gzip", "identity"])
    func served(accepted: String) async throws {
        let service = Service(
            admit: { _, _ in .body(limit: 0) }, respond: { .now(Self.thorough.response(to: $0.head)) },
            refuse: { error, _ in Response(error.status) })
        try await withServer(service) { _, port in
            let result = try Curl.run("--compressed", "-H", "Accept-Encoding: \(accepted)", "http://127.0.0.1:\(port)/")
            #expect(result.code.isSuccess && Array(result.text.utf8) == Self.page)
        }
    }

    @Test(
        "A matching tag of the same coding is answered with 304, and one of another coding with 200", arguments: ["identity", "gzip", "br"])
    func notModified(coding: String) throws {
        let accepts = "Accept-Encoding: \(coding)"
        let tag = try #require(Self.thorough.response(to: try head("GET", accepts)).value(.etag))
        for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            for method in ["GET", "HEAD"] {
                let response = Self.thorough.response(to: try head(method, accepts, "If-None-Match: \(condition)"))
                #expect(response.status == .notModified && response.bytes == nil)
                #expect(response.value(.etag) == tag && response.value(.vary) == "accept-encoding")
                #expect(response.value(.contentType) == nil && response.value(.contentEncoding) == nil)
            }
        }
        for other in ["\"v7\"", "\"v7-gzip\"", "\"v7-br\"", "\"v6\"", tag.replacing("\"", with: "")] where other != tag {
            #expect(Self.thorough.response(to: try head("GET", accepts, "If-None-Match: \(other)")).status == .ok)
        }
    }

    @Test("Conditions compress nothing, and a request compresses only the preferred coding")
    func compressedOnRequest() throws {
        let page = Representation(Self.page, type: "application/json", version: "v7", effort: .quick)
        let br = try head("GET", "Accept-Encoding: br, gzip;q=0.5")
        #expect(page.response(to: br, compressingUpTo: 0) == nil)
        let known = try head("GET", "Accept-Encoding: br, gzip;q=0.5", "If-None-Match: \"v7-br-quick\"")
        #expect(page.response(to: known, compressingUpTo: 0)?.status == .notModified)
        let failed = try head("GET", "Accept-Encoding: br", "If-Match: \"v6\"")
        #expect(page.response(to: failed, compressingUpTo: 0)?.status == .preconditionFailed)
        let any = try head()
        #expect(page.response(to: any, compressingUpTo: 0)?.bytes == Self.page)
        #expect(page.plainResponse(to: br).value(.contentEncoding) == nil)
        page.compress(try #require(page.compression(for: br)))
        #expect(page.compression(for: br) == nil && page.compression(for: any) == nil)
        let response = try #require(page.response(to: br, compressingUpTo: 0))
        #expect(response.value(.contentEncoding) == "br" && response.value(.etag) == "\"v7-br-quick\"")
        let gzip = try head("GET", "Accept-Encoding: gzip")
        #expect(page.response(to: gzip, compressingUpTo: 0) == nil)
    }

    @Test("An equal representation adopts compressed bytes, and a different one does not")
    func adopted() throws {
        let br = try head("GET", "Accept-Encoding: br")
        func page(_ version: String = "v7", _ bytes: [UInt8] = Self.page) throws -> (Representation, Representation.Compression) {
            let page = Representation(
                bytes, type: "application/json", version: version, fields: [ResponseField("x-page", version)], effort: .quick)
            return (page, try #require(page.compression(for: br)))
        }
        let (first, compression) = try page()
        let (second, same) = try page()
        #expect(same == compression && same.hashValue == compression.hashValue)
        let others = [
            try page("v8").1, try page("v7", Self.page + [0]).1,
            try #require(second.compression(for: try head("GET", "Accept-Encoding: gzip"))),
        ]
        #expect(!others.contains(compression))
        second.adopt(same, from: first)
        #expect(second.response(to: br, compressingUpTo: 0) == nil)
        first.compress(compression)
        second.adopt(same, from: first)
        let response = try #require(second.response(to: br, compressingUpTo: 0))
        #expect(response.value(.etag) == "\"v7-br-quick\"" && response.value("x-page") == "v7")
        #expect(response.bytes == first.response(to: br).bytes)
    }

    @Test("A thoroughly compressed representation is sent from then on, with another tag")
    func thoroughly() throws {
        let page = Representation(Self.page, type: "application/json", version: "v7", effort: .quick)
        let br = try head("GET", "Accept-Encoding: br")
        let quick = page.response(to: br)
        #expect(quick.value(.etag) == "\"v7-br-quick\"" && !page.isThorough)
        page.compressThoroughly()
        let thorough = page.response(to: br)
        #expect(thorough.value(.etag) == "\"v7-br\"" && page.isThorough)
        #expect(thorough.bytes != quick.bytes)
    }

    @Test("A failed precondition is answered with 412")
    func preconditionFailed() throws {
        #expect(Self.thorough.response(to: try head("GET", "If-Match: \"v6\"")).status == .preconditionFailed)
        #expect(Self.thorough.response(to: try head("GET", "If-Match: W/\"v7\"")).status == .preconditionFailed)
        #expect(Self.thorough.response(to: try head("GET", "If-Match: \"v7\"")).status == .ok)
        #expect(Self.thorough.response(to: try head("GET", "If-Match: *")).status == .ok)
    }

    @Test("A small or incompressible body is sent uncompressed")
    func uncompressed() throws {
        var random = SeededRandom(seed: 7)
        let noise = (0..<2_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        for body in [Array(Self.page.prefix(511)), noise, []] {
            let response = Representation(body, type: "text/plain", version: "1", effort: .quick)
                .response(to: try head("GET", "Accept-Encoding: br, gzip"))
            #expect(response.value(.contentEncoding) == nil && (response.bytes ?? []) == body)
        }
        let enough = Representation(Array(Self.page.prefix(512)), type: "text/plain", version: "1", effort: .quick)
        #expect(enough.response(to: try head("GET", "Accept-Encoding: br")).value(.contentEncoding) == "br")
    }
}

extension Response {
    fileprivate func value(_ name: FieldName) -> String? { ((prepared?.fields ?? []) + fields).first { $0.name == name }?.value }

    /// The stored bytes of the body, or nil if it has none.
    fileprivate var bytes: [UInt8]? {
        guard case .stored(let bytes) = body else { return nil }
        return bytes.array
    }
}

import Foundation
import Host

/// A response as curl received it: the bytes and their parts.
struct ServedResponse {
    let bytes: [UInt8]
    let status: Int
    /// The header fields by lowercase name.
    let fields: [String: String]
    let body: [UInt8]

    /// Parses the received bytes. Returns nil if the header is incomplete.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.bytes = bytes
        self.status = status
        fields = Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstIndex(of: ":").map { colon in
                    (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
                }
            }, uniquingKeysWith: { "\($0), \($1)" })
        body = Array(bytes[end.upperBound...])
    }

    /// Requests a URL. The header of the response has the text of HTTP/1.1 for any protocol.
    static func get(_ url: String, _ headers: [String], isHTTP2: Bool, in folder: String) throws -> ServedResponse {
        let file = "\(folder)/response"
        let arguments = ["-sSki", "--raw", isHTTP2 ? "--http2" : "--http1.1", "-o", file] + headers.flatMap { ["-H", $0] } + [url]
        let (text, status) = try ProcessLaunch("curl", arguments).output(within: .seconds(30))
        guard status.isSuccess, let response = ServedResponse([UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))) else {
            throw BenchmarkFailure(reason: "no response from \(url): \(text)")
        }
        return response
    }

    /// The fields that every response of the server has, for nginx, which sends the others itself and makes no IDs.
    var constantFields: [(name: String, value: String)] {
        fields.filter { !Self.ownFields.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static let ownFields: Set = ["content-length", "content-type", "date", "etag", "x-request-id"]

    /// The header fields that must be equal on all servers.
    private static let comparedFields = ["content-type", "content-encoding", "content-length"]

    /// Returns the first difference from the expected response, or nil if both are the same to a client.
    func difference(from other: ServedResponse) -> String? {
        if status != other.status { return "status \(status) and \(other.status)" }
        if body != other.body { return "different bodies of \(body.count) and \(other.body.count) bytes" }
        // A response without a body need not describe it.
        let names = status == 304 ? [] : Self.comparedFields
        return names.first { fields[$0] != other.fields[$0] }
            .map { "\($0) \(fields[$0] ?? "none") and \(other.fields[$0] ?? "none")" }
    }
}

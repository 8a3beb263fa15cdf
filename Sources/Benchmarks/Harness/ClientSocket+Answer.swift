/// A response of a server.
struct ReceivedResponse {
    let status: Int
    let body: [UInt8]
    private let fields: [Substring]

    init(status: Int, fields: [Substring], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The lines of the header fields.
    var head: [Substring] { fields }

    /// Returns the value of a header field by its lowercase name.
    subscript(_ name: String) -> Substring? {
        fields.first { $0.lowercased().hasPrefix("\(name): ") }?.dropFirst(name.count + 2)
    }
}

extension ClientSocket {
    func response(to target: String, _ fields: String = "") async throws -> ReceivedResponse {
        try await get(target, fields)
        return try await response()
    }

    func get(_ target: String, _ fields: String = "") async throws {
        try await send("GET \(target) HTTP/1.1\r\nhost: bench\r\n\(fields)\r\n")
    }

    /// Receives the next response, which must have a content length.
    func response() async throws -> ReceivedResponse {
        var bytes: [UInt8] = []
        while true {
            bytes += try await received()
            let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
            let lines = text[..<end.lowerBound].split(separator: "\r\n")
            guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw BenchmarkFailure(reason: "no status in \(lines[0])")
            }
            bytes.removeFirst(text.utf8.distance(from: text.startIndex, to: end.upperBound))
            let head = ReceivedResponse(status: status, fields: Array(lines.dropFirst()), body: [])
            let length = status == 304 ? 0 : head["content-length"].flatMap { Int($0) } ?? 0
            bytes.reserveCapacity(length)
            while bytes.count < length { bytes += try await received() }
            return ReceivedResponse(status: status, fields: Array(lines.dropFirst()), body: bytes)
        }
    }

    private func received() async throws -> [UInt8] {
        let bytes = try await receive()
        guard !bytes.isEmpty else { throw BenchmarkFailure(reason: "the server closed the connection") }
        return bytes
    }
}

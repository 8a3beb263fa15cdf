struct FramingHeaders: Sendable {
    private(set) var host: String?
    private(set) var hostCount = 0
    private(set) var length: Int?
    private(set) var isChunked = false
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false
    private(set) var expectsContinue = false

    /// The names of the fields that are read. All others have no effect on the framing and on whether a head is valid.
    static let names: [FieldName] = [.host, .expect, .connection, .contentLength, .transferEncoding]
    private static let filter = FieldNameFilter(names)

    mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(RequestError) {
        guard Self.filter.mayContain(name) else { return }
        switch name.count {
        case 4 where FieldName.host.matches(name):
            guard hostCount == 0 else { throw RequestError(.badRequest, "the Host header is repeated") }
            hostCount = 1
            // The field is empty if the target has no authority.
            host = value.isEmpty ? nil : try Authority.host(of: value)
        case 6 where FieldName.expect.matches(name):
            guard value.isWord("100-continue") else {
                throw RequestError(.expectationFailed, "the only supported expectation is 100-continue")
            }
            expectsContinue = true
        case 10 where FieldName.connection.matches(name):
            value.forEachListElement { option in
                if option.isWord("close") { saysClose = true }
                if option.isWord("keep-alive") { saysKeepAlive = true }
            }
        case 14 where FieldName.contentLength.matches(name):
            guard length == nil else { throw RequestError(.badRequest, "the Content-Length header is repeated") }
            length = try Self.length(value)
        case 17 where FieldName.transferEncoding.matches(name):
            guard !isChunked else { throw RequestError(.badRequest, "the Transfer-Encoding header is repeated") }
            guard value.isWord("chunked") else { throw RequestError(.notImplemented, "the only supported transfer coding is chunked") }
            isChunked = true
        default: break
        }
    }

    /// Parses at most 18 digits, which always fit in 64 bits.
    private static func length(_ value: Span<UInt8>) throws(RequestError) -> Int {
        var length = 0
        for index in 0..<value.count {
            guard value[index].isDigit else { throw RequestError(.badRequest, "the Content-Length header is malformed") }
            if index < 18 { length = length * 10 + Int(value[index] - 0x30) }
        }
        guard !value.isEmpty else { throw RequestError(.badRequest, "the Content-Length header is malformed") }
        guard value.count <= 18 else { throw RequestError(.contentTooLarge, "the Content-Length header has more than 18 digits") }
        return length
    }
}

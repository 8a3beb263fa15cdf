extension RequestHead {
    /// Finds out of the fields where the body ends and what becomes of the connection; refuses what two readers could take differently.
    init(_ line: RequestLine, _ fields: Fields) throws(Refusal) {
        var facts = FramingFacts()
        try fields.forEach { name, value throws(Refusal) in try facts.note(name, value) }
        if line.version == .http11, facts.hostCount != 1 {
            throw Refusal(.badRequest, facts.hostCount == 0 ? "no Host header" : "more than one Host header")
        }
        guard facts.hostCount <= 1 else { throw Refusal(.badRequest, "more than one Host header") }
        if facts.isChunked, line.version == .http10 { throw Refusal(.badRequest, "Transfer-Encoding in HTTP/1.0") }
        if facts.isChunked, facts.length != nil { throw Refusal(.badRequest, "both Content-Length and Transfer-Encoding") }
        self.init(
            method: line.method, target: line.target, version: line.version, authority: line.authority ?? facts.host, fields: fields,
            framing: facts.isChunked ? .chunked : facts.length.map { $0 == 0 ? .none : .length($0) } ?? .none,
            keepsAlive: line.version == .http11 ? !facts.saysClose : facts.saysKeepAlive && !facts.saysClose,
            expectsContinue: facts.expectsContinue && line.version == .http11)
    }
}

/// What the fields say of a request's body and of its connection.
private struct FramingFacts {
    var host: String?
    var hostCount = 0
    var length: Int?
    var isChunked = false
    var saysClose = false
    var saysKeepAlive = false
    var expectsContinue = false

    mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Refusal) {
        switch name.count {
        case 4 where FieldName.host.matches(name):
            hostCount += 1
            host = value.count == 0 ? nil : try Authority.host(of: value)
        case 6 where FieldName.expect.matches(name):
            guard value.count == 12, value.begins(with: "100-continue") else {
                throw Refusal(.expectationFailed, "an expectation other than 100-continue")
            }
            expectsContinue = true
        case 10 where FieldName.connection.matches(name):
            value.forEachListElement { option in
                if option.count == 5, option.begins(with: "close") { saysClose = true }
                if option.count == 10, option.begins(with: "keep-alive") { saysKeepAlive = true }
            }
        case 14 where FieldName.contentLength.matches(name):
            guard length == nil else { throw Refusal(.badRequest, "more than one Content-Length") }
            length = try Self.length(value)
        case 17 where FieldName.transferEncoding.matches(name):
            guard !isChunked else { throw Refusal(.badRequest, "more than one Transfer-Encoding") }
            guard value.count == 7, value.begins(with: "chunked") else {
                throw Refusal(.notImplemented, "a transfer coding other than chunked")
            }
            isChunked = true
        default: break
        }
    }

    private static func length(_ value: Span<UInt8>) throws(Refusal) -> Int {
        guard value.count > 0, value.count <= 18 else { throw Refusal(.badRequest, "a malformed Content-Length") }
        var length = 0
        for index in 0..<value.count {
            guard value[index].isDigit else { throw Refusal(.badRequest, "a malformed Content-Length") }
            length = length * 10 + Int(value[index] - 0x30)
        }
        return length
    }
}

extension Span<UInt8> {
    /// The elements of a comma-separated list, without the blanks around them; empty ones are left out.
    func forEachListElement(_ body: (Span<UInt8>) -> Void) {
        var start = 0
        for index in 0...count where index == count || self[index] == UInt8(ascii: ",") {
            var first = start
            var last = index
            while first < last, self[first].isBlank { first += 1 }
            while last > first, self[last - 1].isBlank { last -= 1 }
            if first < last { body(extracting(first..<last)) }
            start = index + 1
        }
    }
}

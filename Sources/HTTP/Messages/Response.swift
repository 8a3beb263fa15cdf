package import HTTPMessages

/// An answer to a request; Date, Content-Length, Transfer-Encoding and Connection are added as it is sent.
package struct Response: Sendable {
    package var status: Status
    /// In front of the others.
    package var prepared: PrebuiltHeaders?
    /// The fields that many responses have in common, after those.
    package var common: PrebuiltHeaders?
    package var fields: [ResponseField]
    /// Told to the client.
    package var requestID: RequestID?
    package var body: Body
    /// What HEAD says of the body that GET would have; nil for that of `body`.
    package var contentLength: Int?

    package init(_ status: Status, prepared: PrebuiltHeaders? = nil, fields: [ResponseField] = [], body: Body = .empty) {
        self.status = status
        self.prepared = prepared
        self.fields = fields
        self.body = body
    }
}

package struct ResponseField: Sendable, Hashable {
    package let name: FieldName
    package let value: String

    /// What would end the line or hide from a reader is replaced by a blank: a value may come from a client.
    package init(_ name: FieldName, _ value: String) {
        self.name = name
        let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        self.value = isClean ? value : String(decoding: value.utf8.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(name.bytes)
        bytes.append(": ")
        bytes.append(contentsOf: value.utf8)
        bytes.append("\r\n")
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    /// In decimal.
    mutating func append(decimal number: Int) {
        precondition(number >= 0, "a count must not be negative")
        guard number > 9 else { return append(UInt8(ascii: "0") + UInt8(number)) }
        let start = count
        var rest = number
        while rest > 0 {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }
}

/// Header fields of a response that is sent many times, written once.
package final class PrebuiltHeaders: Sendable {
    package let fields: [ResponseField]
    /// As HTTP/1.1 has them, each with its CRLF.
    let lines: [UInt8]
    /// As HTTP/2 has them.
    let block: HeaderBlock

    package init(_ fields: [ResponseField]) {
        self.fields = fields
        var lines: [UInt8] = []
        for field in fields { field.append(to: &lines) }
        self.lines = lines
        block = HeaderBlock(fields)
    }
}

package enum Body: Sendable {
    case empty
    case stored(SharedBytes)
    /// Written by a task while it is sent. One with a heartbeat has no end of its own, and is ended when the server is to stop.
    indirect case stream(heartbeat: Heartbeat? = nil, @Sendable (BodyWriter) async throws -> Void)

    package init(_ bytes: [UInt8]) { self = bytes.isEmpty ? .empty : .stored(SharedBytes(bytes)) }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// Nil of a stream.
    package var count: Int? {
        switch self {
        case .empty: 0
        case .stored(let bytes): bytes.count
        case .stream: nil
        }
    }
}

/// What a task writes the body of a response to; one task at a time.
package struct BodyWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws(CancellationError) -> Void

    init(_ send: @escaping @Sendable ([UInt8]) async throws(CancellationError) -> Void) { self.send = send }

    /// Returns when the client has taken so much that there is room for more; throws when it is gone.
    package func write(_ bytes: [UInt8]) async throws(CancellationError) { try await send(bytes) }
}

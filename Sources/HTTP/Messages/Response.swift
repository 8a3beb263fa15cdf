package import HTTPMessages

/// A response to a request. The fields Date, Content-Length, Transfer-Encoding and Connection are added when it is
/// sent.
package struct Response: Sendable {
    package var status: Status
    /// The prebuilt fields, which are sent before the others.
    package var prepared: PrebuiltHeaders?
    /// The fields that many responses share. They are sent after the prebuilt ones.
    package var common: PrebuiltHeaders?
    package var fields: [ResponseField]
    /// The ID of the request, which is sent to the client.
    package var requestID: RequestID?
    package var body: Body
    /// The Content-Length in the response to HEAD; nil to use the length of `body`.
    package var contentLength: Int?
    /// The permission to send the response to later requests that would get the same one; nil to ask the handler again.
    package var repetition: Repetition?

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

    /// Replaces control characters in the value with spaces, because a client may have supplied it.
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

    /// Appends a number in decimal.
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

/// The header fields of a response that is sent many times, encoded once.
package final class PrebuiltHeaders: Sendable {
    package let fields: [ResponseField]
    /// The HTTP/1.1 encoding. Each field ends with CRLF.
    let lines: [UInt8]
    /// The HTTP/2 form.
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
    /// A body that a task writes while it is sent. A stream with a heartbeat may be endless, so it ends when the server
    /// shuts down.
    indirect case stream(heartbeat: Heartbeat? = nil, @Sendable (BodyWriter) async throws -> Void)

    package init(_ bytes: [UInt8]) { self = bytes.isEmpty ? .empty : .stored(SharedBytes(bytes)) }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// The number of bytes; nil if the body is a stream.
    package var count: Int? {
        switch self {
        case .empty: 0
        case .stored(let bytes): bytes.count
        case .stream: nil
        }
    }
}

/// The writer of a response's body, for one task at a time.
package struct BodyWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws(CancellationError) -> Void

    init(_ send: @escaping @Sendable ([UInt8]) async throws(CancellationError) -> Void) { self.send = send }

    /// Returns when there is room for more bytes. Throws if the client has disconnected.
    package func write(_ bytes: [UInt8]) async throws(CancellationError) { try await send(bytes) }
}

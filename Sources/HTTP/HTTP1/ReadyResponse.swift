internal import Glibc
internal import HTTPMessages

/// An HTTP/1.1 response with the head of its request. It is encoded except for the status line, the date and the ID.
final class ReadyResponse: Sendable {
    /// The maximum size of the head of a request.
    static let longestHead = 1_024
    /// The size of the object and its arrays without their bytes, and of the data of its observers.
    private static let overhead = 2_048

    /// All bytes of the head of the request, with the empty line at its end.
    let head: [UInt8]
    let repetition: Repetition
    private let status: Status
    /// The fields up to the value of `x-request-id`.
    private let fieldsBeforeID: [UInt8]
    private let fieldsAfterID: [UInt8]
    private let body: SharedBytes?

    /// The bytes that the response keeps in memory, including those that it shares with others.
    var size: Int { Self.overhead + head.count + fieldsBeforeID.count + fieldsAfterID.count + (body?.count ?? 0) }

    /// Returns nil if the handler or the request forbids to repeat the response, if it has no ID, or if its body is a stream.
    init?(_ response: Response, to head: RequestHead, _ bytes: Span<UInt8>) {
        guard let repetition = response.repetition, response.requestID != nil, head.isRepeatable, bytes.count <= Self.longestHead else {
            return nil
        }
        switch response.body {
        case .stream: return nil
        case .stored(let stored) where head.method != .head && !response.status.hasNoBody: body = stored
        case .stored, .empty: body = nil
        }
        self.repetition = repetition
        var copy: [UInt8] = []
        bytes.append(to: &copy)
        self.head = copy
        status = response.status
        var fields: [UInt8] = []
        response.appendSharedFields(to: &fields)
        fields.append(HTTP1ResponseWriter.idPrefix)
        fieldsBeforeID = fields
        fields = Array("\r\n".utf8)
        response.appendOwnFields(to: &fields, version: head.version, keepsAlive: true)
        fieldsAfterID = fields
    }

    /// Whether the bytes start with the head. No further bytes can belong to it, because it ends with its only empty line.
    func isResponse(to bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= head.count else { return false }
        return unsafe head.withUnsafeBytes { own in
            unsafe bytes.withUnsafeBytes { others in
                guard let start = own.baseAddress, let otherStart = others.baseAddress else { return false }
                return unsafe memcmp(start, otherStart, own.count) == 0
            }
        }
    }

    func write(_ id: RequestID, by server: ServerLoop) {
        server.opening.append(of: status, to: &server.output.head)
        server.output.head.append(contentsOf: fieldsBeforeID)
        id.append(to: &server.output.head)
        server.output.head.append(contentsOf: fieldsAfterID)
        if let body { server.output.append(body) }
    }
}

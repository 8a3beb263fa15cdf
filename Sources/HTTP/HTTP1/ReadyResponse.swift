internal import Glibc
internal import HTTPMessages

/// An HTTP/1.1 response with the head of its request. It is encoded except for the status line, the date, the ID and the trace.
final class ReadyResponse: Sendable {
    /// The maximum size of the head of a request.
    static let longestHead = 2_048
    /// The size of the object and its arrays without their bytes, and of the data of its observers.
    private static let overhead = 2_048

    /// All bytes of the head of the request, with the empty line at its end. Empty if requests with the same bytes may get different
    /// responses.
    let head: [UInt8]
    /// The declared lines of the request; nil if the response depends on other lines.
    let declaredLines: [UInt8]?
    let repetition: Repetition
    private let isFromProxy: Bool
    private let hasTrace: Bool
    private let status: Status
    /// The fields up to the value of `x-request-id`.
    private let fieldsBeforeID: [UInt8]
    /// The fields after that, up to the value of `traceparent`; nil if the response does not return it.
    private let fieldsBeforeTrace: [UInt8]?
    private let lastFields: [UInt8]
    private let body: SharedBytes?

    /// The bytes that the response keeps in memory, including those that it shares with others.
    var size: Int {
        let fields = fieldsBeforeID.count + (fieldsBeforeTrace?.count ?? 0) + lastFields.count
        return Self.overhead + head.count + (declaredLines?.count ?? 0) + fields + (body?.count ?? 0)
    }

    /// Returns nil if the handler or the request forbids to repeat the response, if it has no ID, or if its body is a stream.
    ///
    /// With a view of the bytes, the response is also one to requests with the same declared lines, if its head has a record of no
    /// other fields.
    init?(
        _ response: Response, to head: RequestHead, _ bytes: Span<UInt8>, _ view: HTTP1HeadView? = nil, isFromProxy: Bool = false
    ) {
        let view = head.isOfDeclaredFields ? view : nil
        guard let repetition = response.repetition, response.requestID != nil, !head.isOfClient,
            view == nil ? head.isRepeatable : head.isShareable,
            bytes.count <= Self.longestHead
        else { return nil }
        switch response.body {
        case .stream: return nil
        case .stored(let stored) where head.method != .head && !response.status.hasNoBody: body = stored
        case .stored, .empty: body = nil
        }
        self.repetition = repetition
        self.isFromProxy = isFromProxy
        var copy: [UInt8] = []
        if head.isRepeatable { bytes.append(to: &copy) }
        self.head = copy
        declaredLines = view?.declaredLines(of: bytes)
        status = response.status
        var fields: [UInt8] = []
        response.appendSharedFields(to: &fields)
        fields.append(HTTP1ResponseWriter.idPrefix)
        fieldsBeforeID = fields
        fields = Array("\r\n".utf8)
        var rest = response
        hasTrace = view?.trace != nil
        if let trace = view?.trace, let index = response.fields.lastIndex(of: ResponseField(.traceparent, bytes.extracting(trace).text)) {
            for field in response.fields[..<index] { field.append(to: &fields) }
            fields.append("traceparent: ")
            fieldsBeforeTrace = fields
            fields = Array("\r\n".utf8)
            rest.fields.removeFirst(index + 1)
        } else {
            fieldsBeforeTrace = nil
        }
        rest.appendOwnFields(to: &fields, version: head.version, keepsAlive: true)
        lastFields = fields
    }

    /// Whether the bytes start with the head. No further bytes can belong to it, because it ends with its only empty line.
    func isResponse(to bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= head.count, !head.isEmpty else { return false }
        return unsafe head.withUnsafeBytes { own in
            unsafe bytes.withUnsafeBytes { others in
                guard let start = own.baseAddress, let otherStart = others.baseAddress else { return false }
                return unsafe memcmp(start, otherStart, own.count) == 0
            }
        }
    }

    /// Whether the head at the start of the bytes has the same declared lines, is also from a proxy or not, and also has a trace or
    /// not.
    func isResponse(to view: HTTP1HeadView, of bytes: Span<UInt8>, isFromProxy: Bool) -> Bool {
        guard let declaredLines, self.isFromProxy == isFromProxy, hasTrace == (view.trace != nil) else { return false }
        return view.hasDeclaredLines(declaredLines.span, in: bytes)
    }

    /// Writes the response with an ID of the server and the value of `traceparent`, which is empty if the request has none.
    func write(_ id: RequestID, trace: Span<UInt8> = Span(), by server: ServerLoop) {
        begin(server)
        id.append(to: &server.output.head)
        end(trace, server)
    }

    /// Writes the response with an ID of the client.
    func write(clientID id: Span<UInt8>, trace: Span<UInt8>, by server: ServerLoop) {
        begin(server)
        id.append(to: &server.output.head)
        end(trace, server)
    }

    private func begin(_ server: ServerLoop) {
        server.opening.append(of: status, to: &server.output.head)
        server.output.head.append(contentsOf: fieldsBeforeID)
    }

    private func end(_ trace: Span<UInt8>, _ server: ServerLoop) {
        if let fieldsBeforeTrace {
            server.output.head.append(contentsOf: fieldsBeforeTrace)
            trace.append(to: &server.output.head)
        }
        server.output.head.append(contentsOf: lastFields)
        if let body { server.output.append(body) }
    }
}

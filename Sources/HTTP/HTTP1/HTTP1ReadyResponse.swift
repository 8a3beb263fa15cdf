internal import HTTPMessages

/// A ready HTTP/1.1 response. It is encoded except for the status line, the date, the ID and the trace.
final class HTTP1ReadyResponse: ReadyResponse {
    /// The declared lines of the request; nil if the response depends on other lines.
    let declaredLines: [UInt8]?
    private let isFromProxy: Bool
    private let hasTrace: Bool
    private let status: Status
    /// The fields up to the value of `x-request-id`.
    private let fieldsBeforeID: [UInt8]
    /// The fields after that, up to the value of `traceparent`; nil if the response does not return it.
    private let fieldsBeforeTrace: [UInt8]?
    private let lastFields: [UInt8]

    /// Returns nil if the response must not be kept.
    ///
    /// With a view of the bytes, the response is also one to requests with the same declared lines, if its head has a record of no
    /// other fields.
    init?(
        _ response: Response, to head: RequestHead, _ bytes: Span<UInt8>, _ view: HTTP1HeadView? = nil, isFromProxy: Bool = false
    ) {
        let view = head.isOfDeclaredFields ? view : nil
        guard let repetition = Self.permission(of: response, to: head, bytes, isShared: view != nil) else { return nil }
        self.isFromProxy = isFromProxy
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
        let parts = [fieldsBeforeID, fieldsBeforeTrace ?? [], fields, declaredLines ?? []]
        super.init(response, repetition, to: head, bytes, encodedBytes: parts.reduce(0) { $0 + $1.count })
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

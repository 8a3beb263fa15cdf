internal import HTTPMessages

/// A ready HTTP/1.1 response. It is encoded except for the status line, the date, the ID and the trace.
final class HTTP1ReadyResponse: ReadyResponse {
    /// The declared lines of the request; nil if the response depends on other lines.
    let declaredLines: [UInt8]?
    private let isFromProxy: Bool
    private let hasTrace: Bool
    private let status: Status
    /// The response up to its body, or to its end if the body is short. The place of the ID is filled for each request, and the value of
    /// `traceparent` is left out. Before the first request, the status line, the date and the common fields are missing as well.
    private var bytes: [UInt8] = []
    private var isComplete = false
    /// The index of the ID.
    private var idIndex: Int
    /// The index at which the value of `traceparent` belongs; nil if the response does not return it.
    private var traceIndex: Int?

    /// Returns nil if the response must not be kept.
    ///
    /// With a view of the bytes, the response is also one to requests with the same declared lines, if its head has a record of no
    /// other fields.
    init?(
        _ response: Response, to head: RequestHead, _ headBytes: Span<UInt8>, _ view: HTTP1HeadView? = nil, isFromProxy: Bool = false
    ) {
        let view = head.isOfDeclaredFields ? view : nil
        guard let repetition = Self.permission(of: response, to: head, headBytes, isShared: view != nil) else { return nil }
        self.isFromProxy = isFromProxy
        declaredLines = view?.declaredLines(of: headBytes)
        status = response.status
        response.appendSharedFields(to: &bytes)
        bytes.append(HTTP1ResponseWriter.idPrefix)
        idIndex = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: RequestID.digitCount))
        bytes.append("\r\n")
        var rest = response
        hasTrace = view?.trace != nil
        if let trace = view?.trace, let index = response.fields.lastIndex(of: ResponseField(.traceparent, headBytes.extracting(trace).text))
        {
            for field in response.fields[..<index] { field.append(to: &bytes) }
            bytes.append("traceparent: ")
            traceIndex = bytes.count
            bytes.append("\r\n")
            rest.fields.removeFirst(index + 1)
        }
        rest.appendOwnFields(to: &bytes, version: head.version, keepsAlive: true)
        let copied = (response.body.count ?? 0) <= OutputBuffer.copied ? OutputBuffer.copied : 0
        super.init(
            response, repetition, to: head, headBytes,
            encodedBytes: bytes.count + copied + HTTP1ResponsePrefix.usualSize + (declaredLines?.count ?? 0))
    }

    /// Whether the head at the start of the bytes has the same declared lines, is also from a proxy or not, and also has a trace or
    /// not.
    func isResponse(to view: HTTP1HeadView, of bytes: Span<UInt8>, isFromProxy: Bool) -> Bool {
        guard let declaredLines, self.isFromProxy == isFromProxy, hasTrace == (view.trace != nil) else { return false }
        return view.hasDeclaredLines(declaredLines.span, in: bytes)
    }

    /// The size of the response without its trace.
    func count(by server: ServerLoop) -> Int {
        complete(server)
        return bytes.count + (hasSeparateBody ? body?.count ?? 0 : 0)
    }

    /// Writes the response with an ID of the server and the value of `traceparent`, which is empty if the request has none.
    func write(_ id: RequestID, trace: Span<UInt8> = Span(), by server: ServerLoop) {
        complete(server)
        let start = server.output.head.count
        if let traceIndex {
            server.output.head.append(contentsOf: bytes[..<traceIndex])
            trace.append(to: &server.output.head)
            server.output.head.append(contentsOf: bytes[traceIndex...])
        } else {
            server.output.head.append(contentsOf: bytes)
        }
        id.write(over: &server.output.head, at: start + idIndex)
        if hasSeparateBody, let body { server.output.append(body) }
    }

    /// Writes the response with an ID of the client.
    func write(clientID id: Span<UInt8>, trace: Span<UInt8>, by server: ServerLoop) {
        complete(server)
        server.output.head.append(contentsOf: bytes[..<idIndex])
        id.append(to: &server.output.head)
        var rest = idIndex + RequestID.digitCount
        if let traceIndex {
            server.output.head.append(contentsOf: bytes[rest..<traceIndex])
            trace.append(to: &server.output.head)
            rest = traceIndex
        }
        server.output.head.append(contentsOf: bytes[rest...])
        if hasSeparateBody, let body { server.output.append(body) }
    }

    private var hasSeparateBody: Bool { (body?.count ?? 0) > OutputBuffer.copied }

    /// Adds what the response lacks until its first request. The loop keeps no ready response when the date changes.
    private func complete(_ server: ServerLoop) {
        guard !isComplete else { return }
        isComplete = true
        var all: [UInt8] = []
        server.opening.append(of: status, to: &all)
        idIndex += all.count
        if let index = traceIndex { traceIndex = index + all.count }
        all.append(contentsOf: bytes)
        if let body, !hasSeparateBody { unsafe all.append(contentsOf: body.buffer(0..<body.count)) }
        bytes = all
    }
}

internal import EventLoop
internal import HTTPMessages

/// An HTTP/2 request and its response.
final class HTTP2Stream {
    let id: Int32
    var fields = HTTPFields()
    var method = Method.other("")
    var path: [UInt8] = []
    var authority: [UInt8] = []
    var fieldBytes = 0
    var error: RequestError?
    /// The head, from its completion until the body is complete.
    var head: RequestHead?
    var body: BodyReader?
    /// The body of a request whose response starts while the body is still arriving.
    var uploading: IncomingBody?
    /// The time by which the response to such a request must be ready, whatever input arrives.
    var responseDeadline = Deadline.never
    /// Whether the client has ended its side of the stream.
    var hasEnded = false
    var hasResponse = false
    /// The time by which the awaited event must occur: the rest of the request, the response, or room in the window of
    /// the client.
    var deadline = Deadline.never
    var task: Task<Void, Never>?
    /// The unsent parts of the response's body.
    var output: [SharedBytes] = []
    var outputSent = 0
    var outputCount = 0
    var isOutputComplete = true
    /// The heartbeat while a task writes the response.
    var heartbeat: Heartbeat?
    var roomWaiter: CheckedContinuation<Void, Never>?

    init(_ id: Int32) { self.id = id }

    func append(_ bytes: SharedBytes) {
        output.append(bytes)
        outputCount += bytes.count
    }

    /// Removes bytes from the front of the output, up to the limit.
    func consume(_ limit: Int) -> (bytes: SharedBytes, range: Range<Int>)? {
        guard let first = output.first else { return nil }
        let range = outputSent..<min(outputSent + limit, first.count)
        outputCount -= range.count
        outputSent = range.upperBound
        if outputSent == first.count {
            output.removeFirst()
            outputSent = 0
        }
        return (first, range)
    }

    /// Returns the number of bytes that `consume` would return.
    func available(_ limit: Int) -> Int { output.first.map { min(limit, $0.count - outputSent) } ?? 0 }

    func close() {
        uploading?.upload.fail(RequestError(.badRequest, "the client disconnected"))
        uploading = nil
        task?.cancel()
        output = []
        outputCount = 0
        roomWaiter?.resume()
        roomWaiter = nil
    }

    /// Returns the head of the request. Its fields are well formed, because nghttp2 has checked them.
    func makeHead(hasBody: Bool) throws(RequestError) -> RequestHead {
        if let error { throw error }
        let method = method
        if method == .other("CONNECT") { throw RequestError(.notImplemented, "this server is not a proxy") }
        let path = path
        let target = path == [UInt8(ascii: "*")] && method == .options ? RequestTarget.server : try RequestTarget(parsing: path.span)
        let authority = authority
        let length = fields[.contentLength].flatMap { Int($0) }
        let host = authority.isEmpty ? nil : try Authority.host(of: authority.span)
        if let other = fields[.host].map({ Array($0.utf8) }), try Authority.host(of: other.span) != host {
            throw RequestError(.badRequest, "the Host header differs from the authority")
        }
        return RequestHead(
            method: method, target: target, version: .http2,
            authority: host, fields: fields,
            framing: hasBody ? .frames(length: length) : .none,
            expectsContinue: fields.contains(.expect))
    }
}

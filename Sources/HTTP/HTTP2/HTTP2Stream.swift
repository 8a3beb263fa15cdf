internal import EventLoop
internal import HTTPMessages

/// A request of HTTP/2 and its answer.
final class HTTP2Stream {
    let id: Int32
    var fields = HTTPFields()
    var method = Method.other("")
    var path: [UInt8] = []
    var authority: [UInt8] = []
    var fieldBytes = 0
    var refusal: RequestError?
    /// Once it is complete, and as long as the body is not.
    var head: RequestHead?
    var body: BodyReader?
    /// While the request is answered though its body still comes.
    var uploading: IncomingBody?
    /// When the answer to such a request has to be there, whatever comes.
    var answerDeadline = Deadline.never
    /// Whether the client has said all.
    var hasEnded = false
    var isAnswered = false
    /// When what it waits for has to be there: the rest of the request, the answer, or a client that takes it.
    var deadline = Deadline.never
    var task: Task<Void, Never>?
    /// What is left of the answer's body.
    var output: [SharedBytes] = []
    var outputSent = 0
    var outputCount = 0
    var isOutputComplete = true
    /// While its answer is being written by a task.
    var heartbeat: Heartbeat?
    var roomWaiter: CheckedContinuation<Void, Never>?

    init(_ id: Int32) { self.id = id }

    func append(_ bytes: SharedBytes) {
        output.append(bytes)
        outputCount += bytes.count
    }

    /// Takes at most so many bytes from the front of what is left.
    func take(_ limit: Int) -> (bytes: SharedBytes, range: Range<Int>)? {
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

    /// How many bytes `take` would give.
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

    /// The head of the request; its fields are well formed, as nghttp2 has checked.
    func makeHead(hasBody: Bool) throws(RequestError) -> RequestHead {
        if let refusal { throw refusal }
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

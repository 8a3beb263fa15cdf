internal import EventLoop
internal import HTTPMessages

/// An HTTP/2 request and its response.
final class HTTP2Stream {
    private(set) var id: Int32 = 0
    /// The index among the open streams of the connection.
    var index = 0
    var isForHead = false
    /// The ready response that is being sent. Its fields stay in memory until they are sent.
    private(set) var ready: HTTP2ReadyResponse?
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

    func start(_ id: Int32, at index: Int) {
        self.id = id
        self.index = index
    }

    /// Assigns the response to the whole request, which had no other one.
    func respond(with response: HTTP2ReadyResponse) {
        ready = response
        hasEnded = true
        hasResponse = true
        if let body = response.body { append(body) }
    }

    /// Makes the stream new, for another request. Returns false if more than a ready response was sent on it.
    func renew() -> Bool {
        guard ready != nil else { return false }
        ready = nil
        hasEnded = false
        hasResponse = false
        deadline = .never
        outputSent = 0
        return true
    }

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
        output.removeAll(keepingCapacity: true)
        outputCount = 0
        roomWaiter?.resume()
        roomWaiter = nil
    }
}

/// The open streams of a connection. A stream is used again after a ready response, so that it costs no allocation.
struct HTTP2Streams {
    /// The maximum number of streams that wait for another request.
    private static let maxSpare = 16

    private(set) var open: [HTTP2Stream] = []
    private var spare: [HTTP2Stream] = []

    var isEmpty: Bool { open.isEmpty }

    mutating func add(_ id: Int32) -> HTTP2Stream {
        let stream = spare.popLast() ?? HTTP2Stream()
        stream.start(id, at: open.count)
        open.append(stream)
        return stream
    }

    /// Removes an open stream. The last one gets its index.
    mutating func remove(_ stream: HTTP2Stream) {
        let last = open.removeLast()
        if last !== stream {
            open[stream.index] = last
            last.index = stream.index
        }
        if spare.count < Self.maxSpare, stream.renew() { spare.append(stream) }
    }

    mutating func removeAll() { self = HTTP2Streams() }
}

internal import EventLoop
internal import HTTPMessages

/// HTTP/2 on a connection: many requests at once, each on a stream of its own.
final class HTTP2Connection: Codec, @unchecked Sendable {
    // Unchecked: everything is touched on the loop's thread alone.
    /// Unowned, as a task that goes on for a client who has left must not keep the socket.
    unowned let connection: Connection
    let server: ServerLoop
    var streams: [Int32: HTTP2Stream] = [:]
    let session: HTTP2Session?
    /// The stream whose head is coming; nothing comes between its parts.
    private var beginning: HTTP2Stream?
    private var isLeaving = false
    /// What such a client still sends is not read for the sake of its answers.
    private var hasGoneTooFar = false

    init(_ connection: Connection) {
        self.connection = connection
        server = connection.server
        session = HTTP2Session(server.limits)
        session?.receiver = self
    }

    func receive(_ bytes: Span<UInt8>) {
        guard let session else { return connection.finish(lingers: false) }
        var rest = bytes
        while !rest.isEmpty {
            guard session.receive(rest.extracting(first: Self.pieceBytes)) else {
                isLeaving = true
                hasGoneTooFar = true
                return pump()
            }
            pump()
            rest = rest.extracting(droppingFirst: Self.pieceBytes)
        }
    }

    /// nghttp2 stops listening to a client who goes too far only once it has said so: what comes at once must not be thousands of requests.
    private static let pieceBytes = 4_096

    /// Answers to one that says nothing more are of no use: a client of HTTP/2 keeps its side open for as long as it waits.
    func receiveEnd() { connection.finish(lingers: false) }

    func timeOut() {
        let now = Deadline.now
        let late = streams.values.filter { $0.deadline <= now }
        // Nothing can be said on a stream whose head is not complete.
        guard !late.isEmpty, late.allSatisfy({ $0.head != nil || $0.isAnswered }) else {
            leave()
            return connection.finish(lingers: false)
        }
        for stream in late { expire(stream) }
        pump()
    }

    func backlogEmptied() { pump() }

    func shutDown() { leave() }

    func closed() {
        for stream in streams.values { stream.close() }
        streams = [:]
        session?.receiver = nil
        beginning = nil
    }

    /// Moves what is to be sent into the output, as long as the client takes it.
    func pump() {
        guard let session else { return }
        while hasRoom, session.nextOutput({ bytes in bytes.append(to: &server.output.head) }) {}
        // One that was told of its mistake, or has yet to take an answer, may still be sending; a reset in answer to that would take it away.
        if session.isOver || isLeaving && streams.isEmpty { connection.finish(lingers: !hasGoneTooFar) }
        connection.deadline = nextDeadline
    }

    private var hasRoom: Bool { connection.unsentCount + server.output.count < server.limits.outputBufferBytes }

    private func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        for stream in streams.values where stream.heartbeat != nil { stream.task?.cancel() }
        session?.goAway()
        if streams.isEmpty { connection.finish(lingers: connection.unsentCount > 0) }
        pump()
    }

    /// Whatever a client sends on one stream gives it no more time on another.
    private var nextDeadline: Deadline {
        guard !streams.isEmpty else { return server.delays.idle.fromNow }
        return streams.values.reduce(.never) { min($0, $1.deadline) }
    }
}

extension HTTP2Connection: HTTP2SessionDelegate {
    func beginHead(_ id: Int32) {
        let stream = HTTP2Stream(id)
        stream.deadline = server.delays.headers.fromNow
        streams[id] = stream
        beginning = stream
    }

    func addField(_ id: Int32, _ name: Span<UInt8>, _ value: Span<UInt8>) {
        guard let stream = beginning, stream.id == id, stream.refusal == nil else { return }
        stream.fieldBytes += name.count + value.count + 32
        if stream.fieldBytes > server.limits.head.headerBytes || stream.fields.count >= server.limits.head.headerCount {
            stream.refusal = RequestError(.headersTooLarge, "the headers are larger than this server accepts")
        } else if name.count > 0, name[0] == UInt8(ascii: ":") {
            addPseudoField(stream, name, value)
        } else {
            if stream.authority.isEmpty, name.isExactly("host") { stream.authority = value.array }
            stream.fields.append(name: name, value: value)
        }
    }

    func addData(_ id: Int32, _ bytes: Span<UInt8>) -> Bool {
        guard let stream = streams[id] else { return true }
        if stream.uploading != nil { return takeUpload(of: stream, bytes) }
        guard let body = stream.body else { return true }
        do throws(RequestError) {
            _ = try body.read(bytes)
        } catch {
            stream.body = nil
            refuse(stream, error)
        }
        return true
    }

    func close(_ id: Int32) {
        streams.removeValue(forKey: id)?.close()
        if beginning?.id == id { beginning = nil }
    }

    func available(_ id: Int32, _ limit: Int) -> (count: Int, isLast: Bool)? {
        guard let stream = streams[id] else { return (0, true) }
        let count = stream.available(limit)
        let isLast = stream.isOutputComplete && count == stream.outputCount
        return count > 0 || isLast ? (count, isLast) : nil
    }

    func sendData(_ id: Int32, _ header: Span<UInt8>, _ count: Int) -> Bool {
        guard hasRoom else { return false }
        header.append(to: &server.output.head)
        guard let stream = streams[id] else { return true }
        if count > 0, let next = stream.take(count) { server.output.append(next.bytes, next.range) }
        stream.deadline = stream.outputCount > 0 ? server.delays.write.fromNow : stream.heartbeat?.next ?? .never
        if stream.isOutputComplete, stream.outputCount == 0 { dismiss(stream) }
        if let waiter = stream.roomWaiter, stream.outputCount < server.limits.outputBufferBytes {
            stream.roomWaiter = nil
            waiter.resume()
        }
        return true
    }

    private func addPseudoField(_ stream: HTTP2Stream, _ name: Span<UInt8>, _ value: Span<UInt8>) {
        if name.isExactly(":method") {
            stream.method = Method(value)
        } else if name.isExactly(":path") {
            guard value.count <= server.limits.head.targetBytes else {
                stream.refusal = RequestError(.targetTooLong, "the target has more than \(server.limits.head.targetBytes) bytes")
                return
            }
            stream.path = value.array
        } else if name.isExactly(":authority") {
            stream.authority = value.array
        }
    }
}

extension Span<UInt8> {
    fileprivate var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

extension HTTP2Connection {
    /// Has a request answered whose body is still to come. The window of its stream is what the client may send that nobody has taken.
    func beginUpload(_ stream: HTTP2Stream, _ head: RequestHead, limit: Int) throws(RequestError) {
        let overhead = server.limits.head.headerBytes
        guard let reader = try BodyReader(head.framing, limit: limit, overhead: overhead, budget: server.bodies) else {
            return respond(stream, to: head, nil, Upload(of: []))
        }
        // Who waits to be asked for a body begins by itself before long, as the window of its stream is open.
        let upload = Upload(
            reader.lease,
            taken: { [loop = server.loop, id = stream.id, weak self] count in
                do throws(EventLoopError) {
                    try loop.submit(named: "http: resume a body") { [weak self] in self?.resume(id, count) }
                } catch {
                    // A loop that has stopped has closed the connection.
                }
            })
        stream.uploading = IncomingBody(reader, upload, timeout: server.limits.body)
        respond(stream, to: head, nil, upload)
    }

    /// False where the bytes are still to be taken.
    func takeUpload(of stream: HTTP2Stream, _ bytes: Span<UInt8>) -> Bool {
        guard let uploading = stream.uploading else { return true }
        do throws(RequestError) {
            _ = try uploading.reader.read(bytes)
            uploading.timeout.stop(with: bytes.count)
            uploading.upload.add(uploading.reader.forward())
            // What was not taken is in the window, and the client may have to wait for that.
            stream.deadline = stream.answerDeadline
            return false
        } catch {
            breakUpload(of: stream, error)
            return true
        }
    }

    func endUpload(of stream: HTTP2Stream) {
        stream.uploading?.upload.end()
        stream.uploading = nil
        if !stream.isAnswered { stream.deadline = stream.answerDeadline }
    }

    /// Whoever takes the body hears why it ends, and what the client still sends is not looked at.
    func breakUpload(of stream: HTTP2Stream, _ refusal: RequestError) {
        guard let upload = stream.uploading?.upload else { return }
        stream.uploading = nil
        if !stream.isAnswered { stream.deadline = stream.answerDeadline }
        upload.fail(refusal)
    }

    /// Only while nothing is left to take: until then the client may be the one who waits.
    func waitForMore(on stream: HTTP2Stream) {
        guard let uploading = stream.uploading else { return }
        stream.deadline = uploading.upload.isEmpty ? min(stream.answerDeadline, uploading.timeout.wait()) : stream.answerDeadline
    }

    private func resume(_ id: Int32, _ count: Int) {
        guard let stream = streams[id] else { return }
        session?.consume(count, of: id)
        waitForMore(on: stream)
        turn {}
    }
}

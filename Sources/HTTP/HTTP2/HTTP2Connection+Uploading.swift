internal import EventLoop
internal import HTTPMessages

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
                    try loop.submit(named: "http: go on with a body") { [weak self] in self?.goOn(id, count) }
                } catch {
                    // A loop that has stopped has closed the connection.
                }
            })
        stream.uploading = IncomingBody(reader, upload, patience: server.limits.body)
        respond(stream, to: head, nil, upload)
    }

    /// False where the bytes are still to be taken.
    func takeUpload(of stream: HTTP2Stream, _ bytes: Span<UInt8>) -> Bool {
        guard let uploading = stream.uploading else { return true }
        do throws(RequestError) {
            _ = try uploading.reader.read(bytes)
            uploading.patience.stop(with: bytes.count)
            uploading.upload.add(uploading.reader.handOn())
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
        stream.deadline = uploading.upload.isEmpty ? min(stream.answerDeadline, uploading.patience.wait()) : stream.answerDeadline
    }

    private func goOn(_ id: Int32, _ count: Int) {
        guard let stream = streams[id] else { return }
        session?.consume(count, of: id)
        waitForMore(on: stream)
        turn {}
    }
}

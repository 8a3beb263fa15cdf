internal import EventLoop
internal import HTTPMessages

extension HTTP1Connection {
    /// Has a request answered whose body is still to come.
    func beginUpload(_ head: RequestHead, limit: Int) {
        do throws(Refusal) {
            let overhead = server.limits.head.headerBytes
            guard let reader = try BodyReader(head.framing, limit: limit, overhead: overhead, handsOn: true) else {
                return respond(to: head, [], Upload(of: []))
            }
            let upload = Upload { [loop = server.loop, weak self] _ in
                do throws(EventLoopError) {
                    try loop.submit(named: "http: go on with a body") { [weak self] in self?.goOn() }
                } catch {
                    // A loop that has stopped has closed the connection.
                }
            }
            uploading = (reader, upload)
            isUploadBroken = false
            if head.expectsContinue { server.outbox.head.append("HTTP/1.1 100 Continue\r\n\r\n") }
            if reader.isComplete { endUpload() }
            respond(to: head, [], upload)
        } catch {
            refuse(error, head)
        }
    }

    /// Tells how many bytes belong to the body.
    func takeUpload(_ bytes: Span<UInt8>) -> Int {
        guard let (reader, upload) = uploading else { return bytes.count }
        do throws(Refusal) {
            let count = try reader.read(bytes)
            upload.add(reader.handOn())
            if reader.isComplete { endUpload() } else { waitForMore() }
            return count
        } catch {
            breakUpload(error)
            return bytes.count
        }
    }

    /// Whoever takes the body hears why it ends; what the client still sends is not looked at, and its connection ends with the answer.
    func breakUpload(_ refusal: Refusal) {
        guard let (_, upload) = uploading else { return }
        uploading = nil
        isUploadBroken = true
        connection.deadline = answerDeadline
        upload.fail(refusal)
    }

    private func endUpload() {
        uploading?.upload.end()
        uploading = nil
        connection.deadline = answerDeadline
    }

    /// A client that is not read has no time to lose.
    private func waitForMore() {
        guard let upload = uploading?.upload else { return }
        connection.deadline = upload.hasRoom ? min(answerDeadline, server.delays.body.fromNow) : answerDeadline
    }

    private func goOn() {
        guard case .answering = state, uploading != nil else { return }
        withExtendedLifetime(connection) {
            waitForMore()
            wait()
        }
    }
}

internal import EventLoop
internal import HTTPMessages

extension HTTP1Connection {
    /// Starts the response to a request whose body is still to come. The body is read only when the handler requests it.
    func startUpload(_ head: RequestHead, limit: Int) {
        do throws(RequestError) {
            let overhead = server.limits.head.headerBytes
            guard let reader = try BodyReader(head.framing, limit: limit, overhead: overhead, budget: server.bodies) else {
                return respond(to: head, nil, Upload(of: []))
            }
            let loop = server.loop
            func later(_ body: @escaping @Sendable (HTTP1Connection) -> Void) -> @Sendable () -> Void {
                { [weak self] in
                    do throws(EventLoopError) {
                        try loop.submit(named: "http: resume a body") { [weak self] in
                            if let self { body(self) }
                        }
                    } catch {
                        // A loop that has stopped has closed the connection.
                    }
                }
            }
            let resume = later { $0.resume() }
            let upload = Upload(reader.lease, consumed: { _ in resume() }, requestData: later { $0.requestMore() })
            uploading = IncomingBody(reader, upload, timeout: server.limits.body, isHeldBack: true, expectsContinue: head.expectsContinue)
            isUploadBroken = false
            respond(to: head, nil, upload)
        } catch {
            refuse(error, head)
        }
    }

    /// Returns the number of bytes that belong to the body.
    ///
    /// Not inlined, because its values would be prepared for each repeated request.
    @inline(never) func receiveUpload(_ bytes: Span<UInt8>) -> Int {
        guard let uploading else { return bytes.count }
        do throws(RequestError) {
            let count = try uploading.reader.read(bytes)
            uploading.expectsContinue = false
            uploading.timeout.stop(with: count)
            uploading.upload.add(uploading.reader.forward())
            if uploading.reader.isComplete { endUpload() } else { waitForMore() }
            return count
        } catch {
            breakUpload(error)
            return bytes.count
        }
    }

    /// Fails the body for its reader. Further input is ignored, and the connection ends with the response.
    func breakUpload(_ error: RequestError) {
        guard let upload = uploading?.upload else { return }
        uploading = nil
        isUploadBroken = true
        connection.deadline = responseDeadline
        upload.fail(error)
    }

    private func endUpload() {
        uploading?.upload.end()
        uploading = nil
        connection.deadline = responseDeadline
    }

    /// Stops the upload timeout while the client is not read or not asked yet.
    func waitForMore() {
        guard let uploading else { return }
        guard uploading.upload.hasRoom, !uploading.isHeldBack else {
            uploading.timeout.stop()
            return connection.deadline = responseDeadline
        }
        connection.deadline = min(responseDeadline, uploading.timeout.wait())
    }

    /// Starts reading the body, because the handler accepted the request.
    private func requestMore() {
        guard case .responding = state, let uploading, uploading.isHeldBack else { return }
        uploading.isHeldBack = false
        withExtendedLifetime(connection) {
            if uploading.expectsContinue { connection.turn { _ in server.output.head.append("HTTP/1.1 100 Continue\r\n\r\n") } }
            waitForMore()
            wait()
        }
    }

    private func resume() {
        guard case .responding = state, uploading != nil else { return }
        withExtendedLifetime(connection) {
            waitForMore()
            wait()
        }
    }
}

internal import EventLoop
internal import HTTPMessages

/// HTTP/2 on a connection: many requests at once, each on a stream of its own.
final class HTTP2Connection: Codec, @unchecked Sendable {
    // Unchecked: everything is touched on the loop's thread alone.
    unowned let connection: Connection
    let server: ServerLoop
    var streams: [Int32: HTTP2Stream] = [:]
    let session: HTTP2Session?
    private var isLeaving = false

    init(_ connection: Connection) {
        self.connection = connection
        server = connection.server
        session = HTTP2Session(server.limits)
        session?.callbacks = callbacks
    }

    func receive(_ bytes: Span<UInt8>) {
        guard let session else { return connection.finish(lingers: false) }
        if !session.receive(bytes) { isLeaving = true }
        pump()
    }

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

    func drain() { leave() }

    func closed() {
        for stream in streams.values { stream.close() }
        streams = [:]
        session?.callbacks = nil
    }

    /// Moves what is to be sent into the outbox, as long as the client takes it.
    func pump() {
        guard let session else { return }
        while hasRoom, session.nextOutput({ bytes in bytes.append(to: &server.outbox.head) }) {}
        // One that was told of its mistake may still be sending; a reset in answer to that would take the reason away.
        if session.isOver || isLeaving && streams.isEmpty { connection.finish(lingers: !isLeaving) }
        connection.deadline = nextDeadline
    }

    private var hasRoom: Bool { connection.unsentCount + server.outbox.count < server.limits.unsentBytes }

    private func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        for stream in streams.values where stream.heartbeat != nil { stream.task?.cancel() }
        session?.goAway()
        pump()
    }

    /// Whatever a client sends on one stream gives it no more time on another.
    private var nextDeadline: Deadline {
        streams.values.lazy.map(\.deadline).min() ?? .after(server.limits.idle)
    }

    private var callbacks: HTTP2Session.Callbacks {
        HTTP2Session.Callbacks(
            beginHeaders: { [unowned self] id in
                let stream = HTTP2Stream(id)
                stream.deadline = .after(server.limits.headers)
                streams[id] = stream
            },
            header: { [unowned self] id, name, value in addField(id, name, value) },
            headers: { [unowned self] id, isEnd in completeHead(id, hasBody: !isEnd) },
            data: { [unowned self] id, bytes in addData(id, bytes) },
            endOfStream: { [unowned self] id in completeBody(id) },
            closed: { [unowned self] id in streams.removeValue(forKey: id)?.close() },
            available: { [unowned self] id, limit in
                guard let stream = streams[id] else { return (0, true) }
                let count = stream.available(limit)
                let isLast = stream.isOutputComplete && count == stream.outputCount
                return count > 0 || isLast ? (count, isLast) : nil
            },
            sendData: { [unowned self] id, header, count in
                guard hasRoom else { return false }
                header.append(to: &server.outbox.head)
                guard let stream = streams[id] else { return true }
                if count > 0, let next = stream.take(count) { server.outbox.append(next.bytes, next.range) }
                stream.deadline = stream.outputCount > 0 ? .after(server.limits.write) : stream.heartbeat?.next ?? .never
                if stream.isOutputComplete, stream.outputCount == 0 { dismiss(stream) }
                if let waiter = stream.roomWaiter, stream.outputCount < server.limits.unsentBytes {
                    stream.roomWaiter = nil
                    waiter.resume()
                }
                return true
            })
    }

    private func addField(_ id: Int32, _ name: Span<UInt8>, _ value: Span<UInt8>) {
        guard let stream = streams[id], stream.refusal == nil else { return }
        stream.fieldBytes += name.count + value.count + 32
        if stream.fieldBytes > server.limits.head.headerBytes || stream.fields.count >= server.limits.head.headerCount {
            stream.refusal = Refusal(.headersTooLarge, "more headers than this server reads")
        } else if name.count > 0, name[0] == UInt8(ascii: ":") {
            addPseudoField(stream, name, value)
        } else {
            if name.count == 4, stream.authority.isEmpty, name.text == "host" { stream.authority = value.array }
            stream.fields.append(name: name, value: value)
        }
    }

    private func addPseudoField(_ stream: HTTP2Stream, _ name: Span<UInt8>, _ value: Span<UInt8>) {
        switch name.text {
        case ":method": stream.method = value.array
        case ":path":
            guard value.count <= server.limits.head.targetBytes else {
                stream.refusal = Refusal(.targetTooLong, "a target of more than \(server.limits.head.targetBytes) bytes")
                return
            }
            stream.path = value.array
        case ":authority": stream.authority = value.array
        default: break
        }
    }

    private func addData(_ id: Int32, _ bytes: Span<UInt8>) {
        guard let stream = streams[id], let body = stream.body else { return }
        do throws(Refusal) {
            _ = try body.read(bytes)
        } catch {
            stream.body = nil
            refuse(stream, error)
        }
    }
}

extension Span<UInt8> {
    fileprivate var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

internal import EventLoop
internal import Glibc
internal import HTTPMessages

/// A client connection: its socket, its unsent output and its protocol.
final class Connection {
    private enum State {
        /// TLS is negotiated. Every other state may follow.
        case preparing
        /// Every state below may follow.
        case open
        /// The connection closes or lingers after all output is sent.
        case finishing(lingers: Bool)
        /// Input is read and discarded, so that a reset does not destroy the response.
        case lingering
        case closed
    }

    /// The number of reads after which other connections have their turn.
    private static let readsInATurn = 8

    let server: ServerLoop
    let peer: Request.Client
    let admission: AddressCounts.Admission
    /// Whether the peer is a proxy that names its clients.
    private(set) lazy var isFromProxy = !server.service.proxies.isEmpty && server.service.proxies.trust(peer: peer.address)
    /// The deadline for input, after which the codec times out. It does not apply while the client has unread output.
    var deadline = Deadline.never
    /// Whether the codec has more output or input for the time when the client has accepted all output.
    var isHeldBack = false
    /// The deadline for the client to accept output.
    private var writeDeadline = Deadline.never
    private let transport: ServerTransport
    private var state = State.preparing
    private var backlog = PendingOutput()
    private var codec: (any Codec)?
    /// The bytes received before the protocol is known.
    private var undecided: [UInt8] = []
    private var reading: Watch?
    private var writing: Watch?
    private var isReadingPaused = false
    private var codecWantsInput = true
    /// Whether TLS needs input before it can send more.
    private var writeWantsInput = false
    private var inputHasEnded = false

    init(_ transport: ServerTransport, peer: Request.Client, admission: AddressCounts.Admission, server: ServerLoop) {
        self.transport = transport
        self.peer = peer
        self.admission = admission
        self.server = server
    }

    deinit {
        reading?.cancel()
        writing?.cancel()
    }

    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    var unsentCount: Int { backlog.count }

    func isLate(at now: Deadline) -> Bool { (backlog.isEmpty ? deadline : writeDeadline) <= now }

    /// Frees memory that only a busy connection needs.
    func sweep() { transport.sweep() }

    func start() throws(EventLoopError) {
        deadline = server.delays.headers.fromNow
        // Unsafe, because it is called for each event: a canceled watch calls nothing, and the connection cancels both of its
        // watches in `close`, or in its `deinit` at the latest.
        reading = try server.loop.watch(transport.descriptor, for: .readable, named: "http: read") { [unowned(unsafe) self] _ in
            unsafe withExtendedLifetime(self) { unsafe read() }
        }
    }

    func turn(_ body: (any Codec) -> Void) {
        guard let codec, !isClosed else { return }
        body(codec)
        flush()
    }

    /// Sends the remaining output and closes the connection, lingering briefly for input if requested.
    func finish(lingers: Bool) {
        if case .open = state { state = .finishing(lingers: lingers) }
    }

    /// Pauses reading while the codec is busy, so that input waits in the socket.
    func setWantsInput(_ wants: Bool) {
        codecWantsInput = wants
        adjustReading()
    }

    /// Responds to the received requests, then closes the connection.
    func shutDown() {
        if !isReadingPaused { read() }
        guard codec == nil else { return turn { $0.shutDown() } }
        if undecided.isEmpty { deadline = min(deadline, server.delays.linger.fromNow) }
    }

    func close() {
        guard !isClosed else { return }
        state = .closed
        reading?.cancel()
        writing?.cancel()
        codec?.closed()
        codec = nil
        server.forget(self)
    }

    func timeOut() {
        // So few bytes start no other protocol.
        if !undecided.isEmpty { start(HTTP1Connection(self)) }
        switch state {
        case .open where backlog.isEmpty && codec != nil: turn { $0.timeOut() }
        default: close()
        }
    }

    private func start(_ codec: any Codec) {
        self.codec = codec
        let bytes = undecided
        undecided = []
        codec.receive(bytes.span)
        if server.isShuttingDown { codec.shutDown() }
    }

    private func prepare() {
        switch transport.prepare() {
        case .moved: state = .open
        case .blocked(on: .writable): waitForRoom()
        case .blocked: break
        case .ended, .failed: close()
        }
    }

    private func read() {
        if case .preparing = state { prepare() }
        if case .preparing = state { return }
        guard !isClosed else { return }
        for _ in 0..<Self.readsInATurn {
            switch unsafe transport.read(into: server.input) {
            case .moved(let count):
                server.counters.bytesReceived += count
                // The bytes are read only because a write needs them, and no buffer has room for them.
                if writeWantsInput, !codecWantsInput { return close() }
                if case .open = state {
                    let bytes = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: server.input[..<count]))
                    receive(bytes)
                }
                flush()
                let isEmptied = unsafe count < server.input.count && !transport.hasBufferedInput
                guard !isEmptied, !isReadingPaused, !isClosed else { return }
            case .blocked: return flush()
            case .ended:
                guard case .open = state, let codec else { return close() }
                reading?.pause()
                isReadingPaused = true
                codecWantsInput = false
                inputHasEnded = true
                codec.receiveEnd()
                return flush()
            case .failed: return close()
            }
        }
        // A ready socket reports itself again.
        if transport.hasBufferedInput { readSoon() }
    }

    /// Schedules a read, because the socket does not report bytes that TLS has already taken from it.
    private func readSoon() {
        do throws(EventLoopError) {
            _ = try server.loop.schedule(at: .now, named: "http: read") { [self] in
                if !isReadingPaused { read() }
            }
        } catch {
            close()
        }
    }

    private func receive(_ bytes: Span<UInt8>) {
        if let codec { return codec.receive(bytes) }
        if undecided.isEmpty { deadline = server.delays.headers.fromNow }
        bytes.append(to: &undecided)
        // The protocol is unknown until enough bytes have arrived, unless TLS negotiated it.
        if let isHTTP2 = transport.applicationProtocol.map({ $0 == "h2" }) ?? undecided.isPrefaceOfHTTP2 {
            start(isHTTP2 ? HTTP2Connection(self) : HTTP1Connection(self))
        }
    }

    /// Sends the output of the codec, and what the codec adds when that is sent, until the socket is full or the turn is over.
    private func flush() {
        guard !isClosed else { return server.output.removeAll() }
        for _ in 0..<8 {
            guard !server.output.isEmpty || !backlog.isEmpty else { return settle() }
            // Most output is sent in the turn that makes it. The codec then waits for nothing.
            let isWaiting = isHeldBack || !backlog.isEmpty
            guard flushOnce() else { return }
            if isWaiting { codec?.backlogEmptied() }
        }
        guard server.output.isEmpty else { return flushOnce() ? waitForRoom() : () }
        settle()
    }

    /// Whether all output is sent.
    private func flushOnce() -> Bool {
        let before = backlog.count + server.output.count
        writeWantsInput = false
        let progress = transport.flush(server.output, &backlog)
        if backlog.count < before {
            server.counters.bytesSent += before - backlog.count
            writeDeadline = .never
        }
        if !backlog.isEmpty, writeDeadline == .never { writeDeadline = server.delays.write.fromNow }
        switch progress {
        case .moved: return true
        case .blocked(on: .readable): waitForInput()
        case .blocked: waitForRoom()
        case .ended, .failed: close()
        }
        return false
    }

    /// Handles that all output is sent.
    private func settle() {
        writing?.pause()
        adjustReading()
        switch state {
        case .finishing(lingers: true):
            transport.finish()
            state = .lingering
            // The exact time, because a handler that took long would otherwise leave the client no time to read its response.
            deadline = .after(server.limits.linger)
            codec?.closed()
            codec = nil
            codecWantsInput = true
            if isReadingPaused { resumeReading() }
        case .finishing(lingers: false):
            transport.finish()
            close()
        case .preparing, .open, .lingering, .closed: break
        }
    }

    private func waitForRoom() {
        adjustReading()
        do throws(EventLoopError) {
            if let writing { return try writing.resume() }
            // Unsafe for the reason that `start` states.
            writing = try server.loop.watch(transport.descriptor, for: .writable, named: "http: write") {
                [unowned(unsafe) self] _ in unsafe withExtendedLifetime(self) { unsafe write() }
            }
        } catch {
            close()
        }
    }

    /// Waits for input only: the socket has room, so waiting for room would call back continuously.
    private func waitForInput() {
        guard !inputHasEnded else { return close() }
        writeWantsInput = true
        writing?.pause()
        adjustReading()
    }

    private func write() {
        if case .preparing = state {
            writing?.pause()
            return read()
        }
        flush()
        if backlog.isEmpty { turn { $0.backlogEmptied() } }
    }

    private func adjustReading() {
        let shouldPause = !writeWantsInput && (!codecWantsInput || backlog.count > server.limits.outputBufferBytes)
        guard shouldPause != isReadingPaused, !isClosed else { return }
        if shouldPause {
            reading?.pause()
            isReadingPaused = true
        } else {
            resumeReading()
        }
    }

    private func resumeReading() {
        isReadingPaused = false
        do throws(EventLoopError) { try reading?.resume() } catch { close() }
        if transport.hasBufferedInput { readSoon() }
    }
}

extension [UInt8] {
    /// Whether the bytes start like `PRI * HTTP/2.0`, and so are no HTTP/1.1 request; nil if there are too few.
    fileprivate var isPrefaceOfHTTP2: Bool? {
        guard prefix(4).elementsEqual("PRI ".utf8.prefix(count)) else { return false }
        return count < 4 ? nil : true
    }
}

/// A protocol of a connection. It appends its output to the buffer of the loop.
protocol Codec: AnyObject {
    func receive(_ bytes: Span<UInt8>)
    /// Handles that the client sends nothing more.
    func receiveEnd()
    /// Handles that the deadline of the connection has passed.
    func timeOut()
    /// Handles that the client has accepted all output, if output was pending or the connection was held back.
    func backlogEmptied()
    /// Ends the connection as soon as the requests in progress are answered.
    func shutDown()
    /// Handles that the connection is closed.
    func closed()
}

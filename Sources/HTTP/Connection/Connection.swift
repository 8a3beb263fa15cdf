internal import EventLoop
internal import Glibc
internal import Host

/// One client's connection: its socket, what the client has not yet taken, and the protocol that it speaks.
final class Connection {
    private enum State {
        /// May become any of the others.
        case open
        /// Closes, or lingers, as soon as all is sent.
        case finishing(lingers: Bool)
        /// Reads and drops what still comes, so that the answer is not lost with a reset.
        case lingering
        case closed
    }

    unowned let server: ServerLoop
    let client: Request.Client
    /// When what is waited for has not come by then, the codec is told.
    var deadline = Deadline.never
    private let transport: any Transport
    private var state = State.open
    private var backlog = Backlog()
    private var codec: (any Codec)?
    private var reading: Watch?
    private var writing: Watch?
    private var isReadingPaused = false
    private var codecWantsInput = true

    init(_ transport: any Transport, client: Request.Client, server: ServerLoop) {
        self.transport = transport
        self.client = client
        self.server = server
    }

    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    var unsentCount: Int { backlog.count }

    func start() throws(EventLoopError) {
        codec = HTTP1Connection(self)
        reading = try server.loop.watch(transport.descriptor, for: .readable, named: "http: read") { [unowned self] _ in
            withExtendedLifetime(self) { read() }
        }
    }

    /// Runs a part of the codec and sends what came of it.
    func turn(_ body: (any Codec) -> Void) {
        guard let codec, !isClosed else { return }
        body(codec)
        flush()
    }

    /// Sends what is left and ends; where input may still come it is waited for, for a moment.
    func finish(lingers: Bool) {
        if case .open = state { state = .finishing(lingers: lingers) }
    }

    /// A codec that is busy lets what comes wait in the socket.
    func setWantsInput(_ wants: Bool) {
        codecWantsInput = wants
        adjustReading()
    }

    /// Another protocol takes over.
    func replaceCodec(_ other: any Codec) { codec = other }

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
        switch state {
        case .open where backlog.isEmpty: turn { $0.timeOut() }
        default: close()
        }
    }

    private func read() {
        repeat {
            switch unsafe transport.read(into: server.input) {
            case .moved(let count):
                server.counters.bytesReceived += count
                if case .open = state {
                    let bytes = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: server.input[..<count]))
                    codec?.receive(bytes)
                }
                if unsafe count < server.input.count, !transport.hasBufferedInput { return flush() }
            case .blocked: return flush()
            case .ended:
                guard case .open = state else { return close() }
                reading?.pause()
                isReadingPaused = true
                codecWantsInput = false
                codec?.receiveEnd()
                return flush()
            case .failed: return close()
            }
        } while !isReadingPaused && !isClosed
        flush()
    }

    private func flush() {
        guard !isClosed else { return server.outbox.removeAll() }
        guard !server.outbox.isEmpty || !backlog.isEmpty else { return settle() }
        let before = backlog.count + server.outbox.count
        let progress = server.outbox.flush(through: transport, backlog: &backlog)
        if backlog.count < before {
            server.counters.bytesSent += before - backlog.count
            if !backlog.isEmpty { deadline = .after(server.limits.write) }
        }
        switch progress {
        case .moved: settle()
        case .blocked: waitForRoom()
        case .ended, .failed: close()
        }
    }

    /// All is sent.
    private func settle() {
        writing?.pause()
        adjustReading()
        switch state {
        case .finishing(lingers: true):
            transport.finish()
            state = .lingering
            deadline = .after(server.limits.linger)
            codec?.closed()
            codec = nil
            if isReadingPaused { resumeReading() }
        case .finishing(lingers: false):
            transport.finish()
            close()
        case .open, .lingering, .closed: break
        }
    }

    private func waitForRoom() {
        adjustReading()
        do throws(EventLoopError) {
            if let writing { return try writing.resume() }
            deadline = .after(server.limits.write)
            writing = try server.loop.watch(transport.descriptor, for: .writable, named: "http: write") { [unowned self] _ in
                withExtendedLifetime(self) { write() }
            }
        } catch {
            close()
        }
    }

    private func write() {
        flush()
        guard backlog.isEmpty, case .open = state else { return }
        turn { $0.backlogEmptied() }
    }

    private func adjustReading() {
        let shouldPause = !codecWantsInput || backlog.count > server.limits.unsentBytes
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
    }
}

internal import CSocket
internal import EventLoop
internal import Glibc
internal import HTTPMessages
internal import Host
internal import Security
internal import Values

/// The part of a server on one loop: its connections and their shared state. It exists until its shutdown.
@safe final class ServerLoop: @unchecked Sendable {
    // Unchecked: only the loop's thread accesses the variables.
    let loop: EventLoop
    let service: Service
    let limits: ServerLimits
    let delays: ServerTimeouts
    /// The buffer that all connections read into first.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1_024, alignment: 16)
    let output: OutputBuffer
    /// The buffer in which all connections gather the bytes of a TLS record.
    private let record = RecordBuffer()
    /// The fields at the start of every response.
    let fields: PrebuiltHeaders
    var counters = ServerCounters()
    let bodies: BodyBudget
    /// The TLS context of later connections; nil without TLS.
    var encryption: TLSContext?
    var inFlight = 0
    var openStreams = 0
    /// The number of running tasks, including tasks of closed connections.
    private var tasks = 0
    private(set) var date = CachedDateHeader()
    private(set) var opening: HTTP1ResponsePrefix
    var ready = ReadyResponses()
    var isShuttingDown = false
    private let totals: ServerTotals
    /// The arena for large bodies of all loops; nil if their connections are encrypted or the system has none.
    private let arena: BodyArena?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var listeners: [(socket: ListeningSocket, watch: Watch)] = []
    private var sweep: TimerToken?
    private var emptied: [CheckedContinuation<Void, Never>] = []

    init(
        _ loop: EventLoop, service: Service, limits: ServerLimits, encryption: TLSContext?, totals: ServerTotals, arena: BodyArena? = nil
    ) {
        output = OutputBuffer(arena: arena)
        self.arena = arena
        self.encryption = encryption
        self.loop = loop
        self.service = service
        fields = encryption == nil ? service.fields.plain : service.fields.encrypted
        opening = HTTP1ResponsePrefix(fields)
        self.limits = limits
        bodies = BodyBudget(limit: limits.bodyBytes)
        delays = ServerTimeouts(limits)
        self.totals = totals
    }

    deinit { unsafe input.deallocate() }

    /// Throws if a response is a stream and the limit of open streams is reached.
    func checkRoom(for response: Response) throws(RequestError) {
        guard case .stream = response.body, openStreams >= limits.eventStreams else { return }
        counters.rejectedRequests += 1
        throw RequestError(.unavailable, "the server is streaming too many responses")
    }

    var currentCounters: ServerCounters {
        var counters = counters
        counters.open = connections.count
        counters.rejectedRequests += bodies.rejections
        counters.bodyBytes = bodies.bytes
        return counters
    }

    func start(_ sockets: [ListeningSocket]) throws(EventLoopError) {
        updateDate()
        for socket in sockets {
            let watch = try loop.watch(socket.descriptor.number, for: .readable, named: "http: accept") { [self] _ in
                _ = accept(from: socket)
            }
            listeners.append((socket, watch))
        }
        scheduleSweep()
    }

    /// Stops accepting, and returns when the requests in progress are answered or the deadline has passed.
    func shutDown(until deadline: Deadline) async {
        isShuttingDown = true
        ready.removeAll()
        for (socket, watch) in listeners {
            // Clients in the accept queue would be reset together with a socket that no other process has.
            if !socket.isInherited { while accept(from: socket) {} }
            watch.cancel()
        }
        listeners = []
        for connection in connections.values { connection.shutDown() }
        if !isEmpty {
            shutdownDeadline = deadline
            await withCheckedContinuation { emptied.append($0) }
        }
        if let sweep { loop.cancel(sweep) }
    }

    private var shutdownDeadline = Deadline.never

    func forget(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        totals.releaseConnection(connection.admission)
        finishShutdown()
    }

    /// Starts a task. A shutdown waits for its end, because the loop must not stop before.
    func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        tasks += 1
        return Task(executorPreference: loop) { [self] in
            await work()
            tasks -= 1
            finishShutdown()
        }
    }

    private var isEmpty: Bool { connections.isEmpty && tasks == 0 }

    private func finishShutdown() {
        guard isEmpty else { return }
        for continuation in emptied { continuation.resume() }
        emptied = []
    }

    /// Accepts the connections of one turn, so that existing connections have theirs. Returns false if the accept queue is empty.
    private func accept(from listener: ListeningSocket) -> Bool {
        for _ in 0..<64 {
            var storage = sockaddr_storage()
            var length = socklen_t(0)
            let number = unsafe csocket_accept(listener.descriptor.number, &storage, &length)
            guard number >= 0 else {
                if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM { pauseAccepting() }
                return false
            }
            admit(Descriptor(owning: number), from: SocketAddress(storage))
        }
        return true
    }

    private func admit(_ socket: consuming Descriptor, from address: SocketAddress) {
        let host = address.host
        let admission: AddressCounts.Admission
        switch totals.admitConnection(from: host) {
        case .admitted(let admitted): admission = admitted
        case .tooMany: return turnAway(socket, "too many connections")
        case .tooManyOfAddress: return turnAway(socket, "too many connections from this address")
        }
        counters.accepted += 1
        guard let transport = transport(on: socket) else { return totals.releaseConnection(admission) }
        let peer = Request.Client(address: host, isEncrypted: transport.isEncrypted)
        let connection = Connection(transport, peer: peer, admission: admission, server: self)
        connections[ObjectIdentifier(connection)] = connection
        do throws(EventLoopError) { try connection.start() } catch { connection.close() }
    }

    /// Returns nil if memory is exhausted.
    private func transport(on socket: consuming Descriptor) -> ServerTransport? {
        guard let encryption else { return .plain(PlainTransport(socket)) }
        return TLSTransport(socket, encryption, record).map { .encrypted($0) }
    }

    private func turnAway(_ socket: consuming Descriptor, _ reason: String) {
        counters.rejectedConnections += 1
        // Unencrypted bytes would only confuse a client that expects TLS.
        guard encryption == nil else { return }
        HTTP1ResponseWriter(self).write(service.refuse(RequestError(.unavailable, reason), nil), to: nil, keepsAlive: false)
        var backlog = PendingOutput()
        _ = output.flush(through: PlainTransport(socket), backlog: &backlog)
    }

    /// Pauses accepting. Without a descriptor for the next connection, the listener would stay readable and the loop would spin.
    private func pauseAccepting() {
        for (_, watch) in listeners { watch.pause() }
        schedule(after: .milliseconds(100)) { server in
            for (_, watch) in server.listeners {
                do throws(EventLoopError) { try watch.resume() } catch { watch.cancel() }
            }
        }
    }

    private func updateDate() {
        guard date.update() else { return }
        opening.update(date)
        // They have the old date. A page that was replaced is also released within a second.
        ready.removeAll()
        arena?.reclaim()
    }

    /// The number of connections that one sweep closes. The others are closed by the next one, after other events.
    private static let maxLate = 200

    private func scheduleSweep(after pause: Duration = .milliseconds(250)) {
        sweep = schedule(after: pause) { server in
            server.updateDate()
            let now = Deadline.now
            var count = 0
            for connection in server.connections.values where connection.isLate(at: now) {
                withExtendedLifetime(connection) { connection.timeOut() }
                count += 1
                if count == Self.maxLate { break }
            }
            // A sweep that follows another immediately would take each connection for an idle one.
            if count < Self.maxLate, server.encryption != nil {
                for connection in server.connections.values { connection.sweep() }
                if server.totals.shouldReturnMemory(at: now) { csocket_return_memory() }
            }
            if server.shutdownDeadline <= now { for connection in server.connections.values { connection.close() } }
            server.scheduleSweep(after: .milliseconds(count < Self.maxLate ? 250 : 1))
        }
    }

    /// Returns nil if the loop has stopped.
    @discardableResult
    private func schedule(after duration: Duration, _ body: @escaping (ServerLoop) -> Void) -> TimerToken? {
        do throws(EventLoopError) {
            return try loop.schedule(at: .after(duration), named: "http: sweep") { [self] in body(self) }
        } catch {
            return nil
        }
    }
}

/// The timeouts of the clients of a server, from `ServerLimits`.
struct ServerTimeouts {
    let headers: Delay
    let body: Delay
    let idle: Delay
    let write: Delay
    let request: Delay
    let linger: Delay

    init(_ limits: ServerLimits) {
        headers = Delay(limits.headers)
        body = Delay(limits.body)
        idle = Delay(limits.idle)
        write = Delay(limits.write)
        request = Delay(limits.request)
        linger = Delay(limits.linger)
    }
}

/// The value of the Date field, updated once a second.
struct CachedDateHeader {
    private(set) var bytes: [UInt8] = []
    private var second: Int64 = -1

    /// Whether the value changed.
    mutating func update() -> Bool {
        let now = SystemInfo.wallClock
        let second = Int64(clamping: now / 1_000_000)
        guard second != self.second else { return false }
        self.second = second
        bytes = Array(Timestamp(clamping: now).httpDate.utf8)
        return true
    }
}

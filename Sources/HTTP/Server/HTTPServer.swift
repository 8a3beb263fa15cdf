package import EventLoop
internal import Host
package import Security

package struct HTTPServer: Sendable {
    private let loops: [ServerLoop]
    let arena: BodyArena?
    private let latestCounters: Locked<[ServerCounters]>
    /// The ports of the sockets, chosen or requested, in the order of the addresses.
    package let ports: [Int?]

    /// Starts to listen, on each loop with its own socket if the kernel can choose between them, else with a shared one.
    ///
    /// Throws if another process listens on an address, unless `sharesPort` is set.
    package init(
        _ endpoints: [ListeningSocket.Endpoint], adopting adopted: [ListeningSocket] = [], on group: EventLoopGroup, service: Service,
        limits: ServerLimits = ServerLimits(), encryption: TLSContext? = nil, sharesPort: Bool = false
    ) async throws {
        let totals = ServerTotals(limits)
        let arena = encryption == nil ? BodyArena() : nil
        self.arena = arena
        loops = group.loops.map {
            ServerLoop($0, service: service, limits: limits, encryption: encryption, totals: totals, arena: arena)
        }
        latestCounters = Locked(loops.map { _ in ServerCounters() })
        var sockets = loops.map { _ in adopted }
        var ports = adopted.map(\.port)
        for endpoint in endpoints {
            let opened = try Self.open(endpoint, count: loops.count, sharesPort: sharesPort)
            ports.append(opened.first?.port)
            for index in loops.indices { sockets[index].append(opened[index % opened.count]) }
        }
        self.ports = ports
        for (loop, sockets) in zip(loops, sockets) {
            try await Task(executorPreference: loop.loop) { try loop.start(sockets) }.value
        }
    }

    /// Returns the sum over all loops, read at slightly different times.
    package func counters() async -> ServerCounters {
        var sum = sharedCounters
        for loop in loops { sum = await Task(executorPreference: loop.loop) { loop.currentCounters }.value + sum }
        return sum
    }

    /// Returns the sum over all loops. A loop without a reply before the deadline counts with its last values. `timer` is another loop.
    package func counters(until deadline: Deadline, on timer: EventLoop) async -> ServerCounters {
        let responses = await EventLoop.survey(loops.map(\.loop), until: deadline, on: timer, named: "http: counters") { [loops] index in
            loops[index].currentCounters
        }
        return latestCounters.withLock { latest in
            for (index, response) in responses.enumerated() { latest[index] = response ?? latest[index] }
            return latest.reduce(sharedCounters, +)
        }
    }

    /// The counters that belong to no loop.
    private var sharedCounters: ServerCounters {
        var counters = ServerCounters()
        counters.copiedBodyBytes = arena?.bytes ?? 0
        return counters
    }

    /// Replaces the certificate for later connections.
    package func replaceEncryption(by context: TLSContext) async {
        for loop in loops { await Task(executorPreference: loop.loop) { loop.encryption = context }.value }
    }

    /// Stops accepting, answers the requests in progress, and closes the other connections at the deadline. `whenStarted` is
    /// called when every loop knows that its connections end.
    package func shutDown(until deadline: Deadline, whenStarted: @escaping @Sendable () -> Void = {}) async {
        let left = Locked(loops.count)
        await withTaskGroup { group in
            for loop in loops {
                group.addTask(executorPreference: loop.loop) {
                    loop.isShuttingDown = true
                    let isLast = left.withLock { count in
                        count -= 1
                        return count == 0
                    }
                    if isLast { whenStarted() }
                    await loop.shutDown(until: deadline)
                }
            }
        }
    }

    private static func open(_ endpoint: ListeningSocket.Endpoint, count: Int, sharesPort: Bool) throws(HostError) -> [ListeningSocket] {
        guard case .tcp(let host, let port) = endpoint else { return [try ListeningSocket(endpoint, isShared: false)] }
        // The kernel allows any process to share a port that was opened for it, so the check opens the port without sharing.
        if !sharesPort, port != 0 { _ = try ListeningSocket(endpoint, isShared: false) }
        var sockets = [try ListeningSocket(endpoint, isShared: true)]
        let chosen = sockets[0].port ?? port
        while sockets.count < count { sockets.append(try ListeningSocket(.tcp(host: host, port: chosen), isShared: true)) }
        return sockets
    }
}

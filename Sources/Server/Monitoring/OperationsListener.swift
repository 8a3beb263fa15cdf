internal import EventLoop
internal import HTTP
internal import Host
internal import Settings

/// The listener for operators. It has its own loop, connections and slots, so that client load does not delay probes or
/// metrics.
struct OperationsListener {
    /// The loop of the listener. It also watches the deadlines of requests to the other loops.
    let loop: EventLoop
    private let group: EventLoopGroup

    init(observer: @escaping @Sendable (EventLoopStall) -> Void) throws(EventLoopError) {
        group = try EventLoopGroup(name: "operations", count: 1, observer: observer)
        loop = group.loops[0]
    }

    struct Running {
        let server: HTTPServer
        let address: ListenAddress
        let port: Int?
        /// The reason that it is not at the standard address; nil if it is, or if another address is configured.
        let listenError: HostError?
    }

    /// Starts the listener. Returns nil if the setting turns it off. A server that shares its ports for a rolling
    /// restart also shares this one.
    func start(_ listen: OperationsListen, _ service: Service, sharesPort: Bool) async throws -> Running? {
        switch listen {
        case .nowhere: return nil
        case .at(let address): return try await start(address, service, sharesPort)
        case .auto:
            do {
                return try await start(.standard, service, sharesPort)
            } catch let error as HostError where error.code == .addressInUse {
                return try await start(.host("127.0.0.1", port: 0), service, sharesPort, instead: error)
            }
        }
    }

    private func start(
        _ address: ListenAddress, _ service: Service, _ sharesPort: Bool, instead listenError: HostError? = nil
    ) async throws -> Running {
        let server = try await HTTPServer(
            [ListeningSocket.Endpoint(address)], on: group, service: service, limits: Self.limits, sharesPort: sharesPort)
        return Running(server: server, address: address, port: server.ports.first ?? nil, listenError: listenError)
    }

    func stop() async { await group.stop() }

    /// The limits of the listener: enough for all operators, and too low to affect clients.
    private static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.connections = 128
        limits.requestsInFlight = 128
        limits.eventStreams = 1
        return limits
    }
}

extension ListenAddress {
    fileprivate static var standard: ListenAddress { OperationsListen.standard }
}

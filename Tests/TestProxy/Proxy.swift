import EventLoop
import Glibc
import Host

/// A TCP port of this machine that relays to a server over a network that a test can disturb.
///
/// It has a separate event loop, so that the tested code cannot block it.
package final class Proxy: @unchecked Sendable {
    // Unchecked: mutable state is accessed only on the event loop's thread, on which each call runs.
    package let port: UInt16
    let loop: EventLoop
    private let server: ServerAddress
    private let reservation: ReservedPort
    private var listener: Descriptor?
    private var arrivals: Watch?
    private var connections: [ProxiedConnection] = []
    /// The number of accepted connections.
    private var acceptedCount = 0
    private(set) var behaviour = ProxyBehaviour.pass
    private var hasLostLast = false

    private init(to server: ServerAddress, on loop: EventLoop) throws(HostError) {
        self.server = server
        self.loop = loop
        reservation = try ReservedPort()
        port = reservation.number
    }

    /// Runs a body with a proxy to a server. The proxy and its connections end with the body.
    package static func run<Result>(to server: ServerAddress, _ body: (Proxy) async throws -> Result) async throws -> Result {
        let loop = try EventLoop(name: "proxy")
        do {
            let proxy = try Proxy(to: server, on: loop)
            try await proxy.accept()
            let result = try await body(proxy)
            await loop.stop()
            return result
        } catch {
            await loop.stop()
            throw error
        }
    }

    /// Changes the behavior for open and future connections.
    package func behave(_ behaviour: ProxyBehaviour) async {
        await onLoop { proxy in proxy.behaviour = behaviour }
    }

    /// Refuses connections from now on. Open connections are kept.
    package func refuse() async {
        await onLoop { proxy in
            proxy.arrivals?.cancel()
            proxy.arrivals = nil
            proxy.listener = nil
        }
    }

    /// Accepts connections again.
    package func accept() async throws {
        try await onLoop { proxy in
            guard proxy.arrivals == nil else { return }
            let listener = try Descriptor.listening(onPort: proxy.port)
            proxy.arrivals = try proxy.loop.watch(listener.number, for: .readable, named: "proxy: accept") { _ in proxy.acceptConnections()
            }
            proxy.listener = consume listener
        }
    }

    /// Resets every open connection.
    package func reset() async {
        await onLoop { proxy in
            for connection in proxy.connections { connection.reset() }
        }
    }

    /// Closes the sending side of every open connection to its client, and continues to receive.
    package func halfClose() async {
        await onLoop { proxy in
            for connection in proxy.connections { connection.halfClose() }
        }
    }

    /// Restores a working network.
    package func heal() async throws {
        await behave(.pass)
        try await accept()
    }

    private func onLoop<Failure: Error>(_ body: @escaping @Sendable (Proxy) throws(Failure) -> Void) async throws(Failure) {
        try await Task(executorPreference: loop) { Result { () throws(Failure) in try body(self) } }.value.get()
    }

    package func connectionCount() async -> Int { await Task(executorPreference: loop) { self.acceptedCount }.value }

    /// Whether the response to the bytes that a client sends is dropped.
    func dropsResponse(to bytes: [UInt8]) -> Bool {
        guard case .dropResponses(let methods) = behaviour, methods.contains(where: { bytes.starts(with: "\($0) ".utf8) }) else {
            return false
        }
        hasLostLast.toggle()
        return hasLostLast
    }

    private func acceptConnections() {
        while let client = listener?.accept() {
            acceptedCount += 1
            let client = StreamSocket(client, on: loop)
            do throws(HostError) {
                let server = StreamSocket(try Descriptor.connected(to: server), on: loop)
                keep(ProxiedConnection(client, server, of: self))
            } catch {
                client.reset()
            }
        }
    }

    private func keep(_ connection: ProxiedConnection) {
        connections.append(connection)
        // Ends with its sockets, at the latest when the event loop stops.
        Task(executorPreference: loop) {
            await connection.relay()
            self.connections.removeAll { $0 === connection }
        }
    }
}

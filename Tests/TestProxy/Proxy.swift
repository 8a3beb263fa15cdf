import EventLoop
import Glibc
import Host

/// A TCP port of this machine that leads to a server's socket over a network which a test can spoil.
///
/// It lives on a loop of its own, so that nothing under test holds it up.
package final class Proxy: @unchecked Sendable {
    // Unchecked: what varies is touched on the loop's thread alone, where each call is brought.
    package let port: UInt16
    let loop: EventLoop
    private let server: ServerAddress
    private let reservation: ReservedPort
    private var listener: Descriptor?
    private var arrivals: Watch?
    private var connections: [ProxiedConnection] = []
    /// How many connections it has taken.
    private var taken = 0
    private(set) var behaviour = ProxyBehaviour.pass
    private var hasLostLast = false

    private init(to server: ServerAddress, on loop: EventLoop) throws(HostError) {
        self.server = server
        self.loop = loop
        reservation = try ReservedPort()
        port = reservation.number
    }

    /// Runs a body with a proxy to a server; the proxy and its connections end with it.
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

    /// For the open connections and those to come.
    package func behave(_ behaviour: ProxyBehaviour) async {
        await onLoop { proxy in proxy.behaviour = behaviour }
    }

    /// Lets nobody connect from now on; open connections stay.
    package func refuse() async {
        await onLoop { proxy in
            proxy.arrivals?.cancel()
            proxy.arrivals = nil
            proxy.listener = nil
        }
    }

    /// Takes connections again.
    package func accept() async throws {
        try await onLoop { proxy in
            guard proxy.arrivals == nil else { return }
            let listener = try Descriptor.listening(onPort: proxy.port)
            proxy.arrivals = try proxy.loop.watch(listener.number, for: .readable, named: "proxy: accept") { _ in proxy.takeConnections() }
            proxy.listener = consume listener
        }
    }

    /// Ends every open connection in the middle of whatever it does.
    package func reset() async {
        await onLoop { proxy in
            for connection in proxy.connections { connection.reset() }
        }
    }

    /// Tells the client of every open connection that no more will come, and goes on to take what it sends.
    package func halfClose() async {
        await onLoop { proxy in
            for connection in proxy.connections { connection.halfClose() }
        }
    }

    /// Becomes a network as it should be.
    package func heal() async throws {
        await behave(.pass)
        try await accept()
    }

    private func onLoop<Failure: Error>(_ body: @escaping @Sendable (Proxy) throws(Failure) -> Void) async throws(Failure) {
        try await Task(executorPreference: loop) { Result { () throws(Failure) in try body(self) } }.value.get()
    }

    package func connectionCount() async -> Int { await Task(executorPreference: loop) { self.taken }.value }

    /// Whether what a client sends is to have no answer.
    func dropsResponse(to bytes: [UInt8]) -> Bool {
        guard case .dropResponses(let methods) = behaviour, methods.contains(where: { bytes.starts(with: "\($0) ".utf8) }) else {
            return false
        }
        hasLostLast.toggle()
        return hasLostLast
    }

    private func takeConnections() {
        while let client = listener?.accept() {
            taken += 1
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
        // Ends with its sockets, at the latest when the loop stops.
        Task(executorPreference: loop) {
            await connection.relay()
            self.connections.removeAll { $0 === connection }
        }
    }
}

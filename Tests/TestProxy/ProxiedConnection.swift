import EventLoop

/// A client's connection to a proxy, with the proxy's connection to the server.
final class ProxiedConnection: @unchecked Sendable {
    // Unchecked: accessed only on the thread of the proxy's event loop.
    private let proxy: Proxy
    private let client: StreamSocket
    private let server: StreamSocket
    private var passed = 0
    /// Whether bytes were dropped, after which no others may follow.
    private var isSilent = false
    /// Whether the connection is reset when the server sends again.
    private var isDoomed = false

    init(_ client: StreamSocket, _ server: StreamSocket, of proxy: Proxy) {
        self.client = client
        self.server = server
        self.proxy = proxy
    }

    /// Relays bytes until both sides have closed or one has failed.
    func relay() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.relay(from: self.client, to: self.server) }
            group.addTask { await self.relay(from: self.server, to: self.client) }
        }
    }

    func reset() {
        client.reset()
        server.reset()
    }

    func halfClose() { client.finishWriting() }

    private func relay(from source: StreamSocket, to target: StreamSocket) async {
        do {
            var held: [UInt8] = []
            while let chunk = try await source.receive() {
                if source === client, proxy.dropsResponse(to: chunk) { isDoomed = true }
                if source === server, isDoomed { return reset() }
                held += chunk
                if case .gather(let count) = proxy.behaviour, held.count < count { continue }
                try await pass(held, to: target)
                held = []
            }
            try await pass(held, to: target)
            target.finishWriting()
        } catch {
            reset()
        }
    }

    private func pass(_ chunk: [UInt8], to target: StreamSocket) async throws {
        var rest = chunk[...]
        while !rest.isEmpty {
            // Checked for each part, because the behavior may change during a pause.
            let part = try await admit(rest)
            rest = rest.dropFirst(part.count)
            switch proxy.behaviour {
            case _ where isSilent: break
            case .silence: isSilent = true
            case .cut(let limit) where passed + part.count >= limit:
                try await target.send(part.prefix(max(0, limit - passed)))
                return reset()
            default: try await target.send(part)
            }
            passed += part.count
        }
    }

    /// Returns the part of the bytes to send next, after any pause.
    private func admit(_ bytes: ArraySlice<UInt8>) async throws -> ArraySlice<UInt8> {
        switch proxy.behaviour {
        case .delay(let pause):
            try await proxy.loop.sleep(until: .after(pause))
            return bytes
        case .trickle(let count, let pause):
            try await proxy.loop.sleep(until: .after(pause))
            return bytes.prefix(count)
        default: return bytes
        }
    }
}

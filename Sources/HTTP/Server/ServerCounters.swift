internal import EventLoop
internal import HTTPMessages
internal import Host

package struct ServerCounters: Sendable, Equatable {
    package var accepted = 0
    /// The number of open connections.
    package var open = 0
    /// The connections rejected because there were too many, in total or of one client.
    package var rejectedConnections = 0
    package var requests = 0
    /// The requests that could not be parsed.
    package var malformedRequests = 0
    /// The 503 responses because of too many requests in progress or too many body bytes in memory.
    package var rejectedRequests = 0
    /// The bytes of request bodies in memory now.
    package var bodyBytes = 0
    /// The bytes of the copies of large response bodies in memory now.
    package var copiedBodyBytes = 0
    package var bytesReceived = 0
    package var bytesSent = 0

    package init() {}

    package static func + (left: ServerCounters, right: ServerCounters) -> ServerCounters {
        var sum = left
        sum.accepted += right.accepted
        sum.open += right.open
        sum.rejectedConnections += right.rejectedConnections
        sum.requests += right.requests
        sum.malformedRequests += right.malformedRequests
        sum.rejectedRequests += right.rejectedRequests
        sum.bodyBytes += right.bodyBytes
        sum.copiedBodyBytes += right.copiedBodyBytes
        sum.bytesReceived += right.bytesReceived
        sum.bytesSent += right.bytesSent
        return sum
    }
}

final class ServerTotals: Sendable {
    enum Admission {
        case admitted(AddressCounts.Admission)
        case tooMany
        case tooManyOfAddress
    }

    private struct State {
        var connections = 0
        var addresses: AddressCounts
        var accepted = 0
        var handshakes = HandshakeMemory()
    }

    private let limit: Int
    private let state: Locked<State>

    init(_ limits: ServerLimits) {
        limit = limits.connections
        state = Locked(State(addresses: AddressCounts(limit: limits.connectionsPerAddress, exempt: limits.exempt)))
    }

    func admitConnection(from address: String) -> Admission {
        state.withLock { state in
            guard state.connections < limit else { return .tooMany }
            guard let admission = state.addresses.admit(address) else { return .tooManyOfAddress }
            state.connections += 1
            state.accepted += 1
            return .admitted(admission)
        }
    }

    /// Whether the memory of handshakes returns to the system now. All loops share a heap, so that one of them returns it.
    func shouldReturnMemory(at now: Deadline) -> Bool {
        state.withLock { $0.handshakes.shouldReturn(after: $0.accepted, at: now) }
    }

    func releaseConnection(_ admission: AddressCounts.Admission) {
        state.withLock { state in
            state.connections -= 1
            state.addresses.release(admission)
        }
    }
}

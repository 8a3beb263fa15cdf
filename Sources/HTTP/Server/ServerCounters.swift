internal import HTTPMessages
internal import Host

package struct ServerCounters: Sendable, Equatable {
    package var accepted = 0
    /// At this moment.
    package var open = 0
    /// Turned away since there were too many connections, of all clients or of one.
    package var rejectedConnections = 0
    package var requests = 0
    /// Requests that could not be read.
    package var malformedRequests = 0
    /// Requests answered with 503 since too many were being answered, or too many of their bytes were in memory.
    package var rejectedRequests = 0
    /// Bytes of request bodies in memory, at this moment.
    package var bodyBytes = 0
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
            return .admitted(admission)
        }
    }

    func releaseConnection(_ admission: AddressCounts.Admission) {
        state.withLock { state in
            state.connections -= 1
            state.addresses.release(admission)
        }
    }
}

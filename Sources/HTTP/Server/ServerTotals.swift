internal import HTTPMessages
internal import Host

/// What the loops of a server count together.
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

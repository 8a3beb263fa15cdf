package import HTTPMessages
internal import Host

/// The body of a request as it comes, for one thread that takes it piece by piece; no more of it is read than a few pieces that nobody has taken.
package final class Upload: Sendable {
    private struct State {
        var pieces: [[UInt8]] = []
        var count = 0
        var failure: Refusal?
        var hasEnded = false
        var waiter: Handover<Void>?
        var isWanted = false
    }

    /// What may lie here before the client is asked to wait.
    private static let room = 262_144

    private let state = Locked(State())
    /// Told of how many bytes were taken, on the thread that took them.
    private let taken: @Sendable (Int) -> Void
    /// Told once, when somebody first waits for what has not come, on the thread that does.
    private let wanted: @Sendable () -> Void

    init(taken: @escaping @Sendable (Int) -> Void, wanted: @escaping @Sendable () -> Void = {}) {
        self.taken = taken
        self.wanted = wanted
    }

    /// A body that is there as a whole, for whoever has one.
    package convenience init(of bytes: [UInt8]) {
        self.init(taken: { _ in })
        add(bytes)
        end()
    }

    /// Blocks until there are more bytes, and answers with none at the end. Throws where the client has not sent what it began. For a thread of
    /// one's own.
    package func take() throws(Refusal) -> [UInt8] {
        while true {
            let (found, waiter, isFirst): (Result<[UInt8], Refusal>?, Handover<Void>?, Bool) = state.withLock { state in
                if !state.pieces.isEmpty {
                    state.count -= state.pieces[0].count
                    return (.success(state.pieces.removeFirst()), nil, false)
                }
                if let failure = state.failure { return (.failure(failure), nil, false) }
                if state.hasEnded { return (.success([]), nil, false) }
                let waiter = Handover<Void>()
                state.waiter = waiter
                defer { state.isWanted = true }
                return (nil, waiter, !state.isWanted)
            }
            if isFirst { wanted() }
            waiter?.take()
            guard let found else { continue }
            let bytes = try found.get()
            if !bytes.isEmpty { taken(bytes.count) }
            return bytes
        }
    }

    var hasRoom: Bool { state.withLock { $0.count < Self.room } }

    /// Whether all that came was taken.
    var isEmpty: Bool { state.withLock { $0.pieces.isEmpty } }

    func add(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        change { state in
            guard state.failure == nil else { return }
            state.pieces.append(bytes)
            state.count += bytes.count
        }
    }

    func end() { change { $0.hasEnded = true } }

    /// Why it ended before its time; nil where it did not.
    package var failure: Refusal? { state.withLock { $0.failure } }

    /// Nothing more is to come, nor to be taken, also where all had come.
    package func fail(_ refusal: Refusal) {
        change { state in
            guard state.failure == nil else { return }
            state.failure = refusal
            (state.pieces, state.count) = ([], 0)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            return state.waiter.take()
        }
        waiter?.put(())
    }
}

package import HTTPMessages
internal import Host

/// The body of a request as it comes, for one thread or task that takes it piece by piece; no more of it is read than a few pieces that nobody has
/// taken.
package final class Upload: Sendable {
    private enum Waiter {
        case thread(BlockingPromise<Void>)
        case task(CheckedContinuation<Void, Never>)

        func wake() {
            switch self {
            case .thread(let handover): handover.put(())
            case .task(let continuation): continuation.resume()
            }
        }
    }

    private struct State {
        var pieces: [[UInt8]] = []
        var count = 0
        var failure: RequestError?
        var hasEnded = false
        var waiter: Waiter?
        var isWanted = false

        /// The next piece, an empty one at the end, or why there is none; nil if there is nothing yet.
        mutating func next() -> Result<[UInt8], RequestError>? {
            if !pieces.isEmpty {
                count -= pieces[0].count
                return .success(pieces.removeFirst())
            }
            if let failure { return .failure(failure) }
            return hasEnded ? .success([]) : nil
        }

        /// Has the waiter woken by what comes next, and tells whether it is the first. Nil if there is something to take already.
        mutating func wait(_ waiter: Waiter) -> Bool? {
            guard pieces.isEmpty, failure == nil, !hasEnded else { return nil }
            self.waiter = waiter
            defer { isWanted = true }
            return !isWanted
        }
    }

    /// What may lie here before the client is asked to wait.
    private static let room = 262_144

    private let state = Locked(State())
    /// The memory that the pieces use; nil of a body that came as a whole.
    private let lease: BodyLease?
    /// Told of how many bytes were taken, on the thread that took them.
    private let taken: @Sendable (Int) -> Void
    /// Told once, when somebody first waits for what has not come, on the thread that does.
    private let wanted: @Sendable () -> Void

    init(_ lease: BodyLease? = nil, taken: @escaping @Sendable (Int) -> Void, wanted: @escaping @Sendable () -> Void = {}) {
        self.lease = lease
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
    package func take() throws(RequestError) -> [UInt8] {
        while true {
            if let found = state.withLock({ $0.next() }) {
                let bytes = try found.get()
                if !bytes.isEmpty {
                    lease?.shrink(by: bytes.count)
                    taken(bytes.count)
                }
                return bytes
            }
            let waiter = BlockingPromise<Void>()
            guard let isFirst = state.withLock({ $0.wait(.thread(waiter)) }) else { continue }
            if isFirst { wanted() }
            waiter.take()
        }
    }

    /// Waits for the whole body, which counts as memory in use for as long as the upload exists. Throws if the client does not send what it began,
    /// and if the task is canceled.
    package func collect() async throws(RequestError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            if let found = state.withLock({ $0.next() }) {
                let bytes = try found.get()
                guard !bytes.isEmpty else { return body }
                body += bytes
                taken(bytes.count)
            } else {
                await wait()
            }
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard let isFirst = state.withLock({ $0.wait(.task(continuation)) }) else { return continuation.resume() }
                if isFirst { wanted() }
            }
        } onCancel: {
            fail(RequestError(.unavailable, "the request was canceled"))
        }
    }

    var hasRoom: Bool { state.withLock { $0.count < Self.room } }

    var isEmpty: Bool { state.withLock { $0.pieces.isEmpty } }

    func add(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let dropped = change { state in
            guard state.failure == nil else { return bytes.count }
            state.pieces.append(bytes)
            state.count += bytes.count
            return 0
        }
        lease?.shrink(by: dropped)
    }

    func end() {
        change { state in
            state.hasEnded = true
        }
    }

    /// Why it ended before its time; nil where it did not.
    package var failure: RequestError? { state.withLock { $0.failure } }

    /// Nothing more is to come, nor to be taken, also where all had come.
    package func fail(_ refusal: RequestError) {
        let dropped = change { state in
            guard state.failure == nil else { return 0 }
            state.failure = refusal
            defer { (state.pieces, state.count) = ([], 0) }
            return state.count
        }
        lease?.shrink(by: dropped)
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, waiter) = state.withLock { state in (body(&state), state.waiter.take()) }
        waiter?.wake()
        return result
    }
}

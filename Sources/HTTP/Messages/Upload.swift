package import HTTPMessages
internal import Host

/// The body of a request as it arrives, for one thread or task that consumes it in pieces. Only a limited number of
/// bytes is read ahead of the consumer.
package final class Upload: Sendable {
    private enum Waiter {
        case thread(BlockingPromise<Void>)
        case task(CheckedContinuation<Void, Never>)

        func wake() {
            switch self {
            case .thread(let handover): handover.fulfill(())
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
        var isRequested = false

        /// Returns the next piece, an empty one at the end, or an error; nil if nothing has arrived yet.
        mutating func next() -> Result<[UInt8], RequestError>? {
            if !pieces.isEmpty {
                count -= pieces[0].count
                return .success(pieces.removeFirst())
            }
            if let failure { return .failure(failure) }
            return hasEnded ? .success([]) : nil
        }

        /// Registers the waiter for the next event. Returns whether it is the first waiter; nil if a piece is already
        /// available.
        mutating func wait(_ waiter: Waiter) -> Bool? {
            guard pieces.isEmpty, failure == nil, !hasEnded else { return nil }
            self.waiter = waiter
            defer { isRequested = true }
            return !isRequested
        }
    }

    /// The number of unconsumed bytes above which the client has to wait.
    private static let room = 262_144

    private let state = Locked(State())
    /// The memory that the pieces use; nil if the body arrived as a whole.
    private let lease: BodyLease?
    /// Called with the number of consumed bytes, on the thread that consumed them.
    private let consumed: @Sendable (Int) -> Void
    /// Called once, on the thread that first waits for bytes that have not arrived.
    private let requestData: @Sendable () -> Void

    init(_ lease: BodyLease? = nil, consumed: @escaping @Sendable (Int) -> Void, requestData: @escaping @Sendable () -> Void = {}) {
        self.lease = lease
        self.consumed = consumed
        self.requestData = requestData
    }

    /// Creates an upload from a complete body.
    package convenience init(of bytes: [UInt8]) {
        self.init(consumed: { _ in })
        add(bytes)
        end()
    }

    /// Blocks until there are more bytes and returns them; returns an empty array at the end. Throws if the client does
    /// not complete the body. It must be called on a thread that may block.
    package func receive() throws(RequestError) -> [UInt8] {
        while true {
            if let found = state.withLock({ $0.next() }) {
                let bytes = try found.get()
                if !bytes.isEmpty {
                    lease?.shrink(by: bytes.count)
                    consumed(bytes.count)
                }
                return bytes
            }
            let waiter = BlockingPromise<Void>()
            guard let isFirst = state.withLock({ $0.wait(.thread(waiter)) }) else { continue }
            if isFirst { requestData() }
            waiter.wait()
        }
    }

    /// Waits for the whole body, which counts as memory in use for as long as the upload exists. Throws if the client does not complete the body,
    /// and if the task is canceled.
    package func collect() async throws(RequestError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            if let found = state.withLock({ $0.next() }) {
                let bytes = try found.get()
                guard !bytes.isEmpty else { return body }
                body += bytes
                consumed(bytes.count)
            } else {
                await wait()
            }
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard let isFirst = state.withLock({ $0.wait(.task(continuation)) }) else { return continuation.resume() }
                if isFirst { requestData() }
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

    /// The error that ended the body early; nil if it did not end early.
    package var failure: RequestError? { state.withLock { $0.failure } }

    /// Ends the body with an error and discards the unconsumed pieces, even if it has arrived completely.
    package func fail(_ error: RequestError) {
        let dropped = change { state in
            guard state.failure == nil else { return 0 }
            state.failure = error
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

internal import Arguments
internal import VitrineClient

/// How long `sync tail` puts up with a server that gives no answer.
struct TailRetryPolicy {
    /// Who only wants to know the end does not wait for a server for ever.
    private static let maxFailures = 6

    /// Whether the command is to have an end of its own.
    let isBounded: Bool
    /// In a row.
    private var failures = 0
    private var hasHeard = false

    init(isBounded: Bool) { self.isBounded = isBounded }

    /// Throws where what came of a question was once too often none.
    mutating func handle(_ response: SyncResponse, to request: SyncRequest) throws(TailError) {
        switch response {
        case .answer(200, _, _): (hasHeard, failures) = (true, 0)
        // Fewer buckets are asked for next.
        case .answer(400, _, _) where request.isOfBuckets: hasHeard = true
        case .answer(let status, _, _):
            (hasHeard, failures) = (true, failures + 1)
            guard isOver else { return }
            throw TailError(
                message: "the server answers \(status), \(failures) times in a row", advice: "Try again when it is well.",
                exitCode: .unreachable)
        case .unreachable(let reason):
            failures += 1
            guard !hasHeard || isOver else { return }
            throw TailError(
                message: reason, advice: "Start a server with vitrine dev, or name one by --server or VITRINE_SERVER.",
                exitCode: .unreachable)
        }
    }

    private var isOver: Bool { isBounded && failures >= Self.maxFailures }
}

extension SyncRequest {
    fileprivate var isOfBuckets: Bool {
        if case .bucketList = self { true } else { false }
    }
}

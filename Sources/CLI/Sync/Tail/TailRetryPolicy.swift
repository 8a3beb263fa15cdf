internal import Arguments
internal import VitrineClient

/// The policy by which `sync tail` retries failed requests.
struct TailRetryPolicy {
    /// The maximum number of failures in a row, if the command must end.
    private static let maxFailures = 6

    /// Whether the command ends on its own.
    let isBounded: Bool
    /// The number of failures in a row.
    private var failures = 0
    private var hasHeard = false

    init(isBounded: Bool) { self.isBounded = isBounded }

    /// Counts failures. Throws if there are too many.
    mutating func handle(_ response: SyncResponse, to request: SyncRequest) throws(TailError) {
        switch response {
        case .response(200, _, _): (hasHeard, failures) = (true, 0)
        // The next request has fewer buckets.
        case .response(400, _, _) where request.isOfBuckets: hasHeard = true
        case .response(let status, _, _):
            (hasHeard, failures) = (true, failures + 1)
            guard isOver else { return }
            throw TailError(
                message: "the server responded with \(status), \(failures) times in a row", advice: "check the server, and try again",
                exitCode: .unreachable)
        case .unreachable(let reason):
            failures += 1
            guard !hasHeard || isOver else { return }
            throw TailError(
                message: reason, advice: "start a server with 'vitrine dev', or select one with --server or VITRINE_SERVER",
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

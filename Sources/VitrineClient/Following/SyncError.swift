/// Why following cannot go on by itself.
public struct SyncError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The server has not handed the cursor out: begin anew, and look for the mistake.
        case invalidCursor
        /// The cursor is of other feeds, another locale or another storefront.
        case scopeMismatch
        /// The storefront or a feed does not exist, or the server refuses for another reason.
        case refused
        /// Again and again an answer was no answer of sync.
        case unreadable
    }

    public let code: Code
    /// Of the answer.
    public let status: Int
    public let message: String

    public var description: String { message }
}

/// What an answer has led to.
public struct SyncUpdate: Sendable, Equatable {
    /// Something that a person may want to be told.
    public enum Note: Sendable, Equatable {
        /// A page of more to come.
        case lagging(version: Int, head: Int)
        /// The copy is what there was at one moment.
        case upToDate(version: Int)
        /// The next attempt comes after so many seconds.
        case disconnected(String, retryAfter: Double)
        /// The cursor is of no use any more: the server's reason, and what is done about it.
        case expired(reason: String, isReloaded: Bool)
        /// So many buckets are not what they should be.
        case repairing(buckets: Int)
        case repaired
    }

    /// In order; applied to the follower's copy already, and to be kept by whoever keeps it in a file.
    public internal(set) var edits: [CopyMutation] = []
    public internal(set) var changes: [CopyChange] = []
    public internal(set) var notes: [Note] = []
}

/// How long one waits who has failed some times in a row: twice as long each time, and each client another while.
struct Backoff {
    private static let first = 1.0
    private static let longest = 60.0
    /// What a server may ask for.
    private static let maxAsked = 600

    private(set) var failures = 0

    mutating func reset() { failures = 0 }

    /// In seconds; no less than what the server asks for.
    mutating func next(asked: Int?, using random: inout some RandomNumberGenerator) -> Double {
        let bound = min(Self.longest, Self.first * Double(1 << min(failures, 10)))
        failures += 1
        let own = Double.random(in: (bound / 2)...bound, using: &random)
        guard let asked else { return own }
        return max(own, Double(min(max(asked, 0), Self.maxAsked)) + Double.random(in: 0...1, using: &random))
    }
}

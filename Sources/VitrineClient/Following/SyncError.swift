/// The reason why synchronization cannot continue automatically.
public struct SyncError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The server did not issue the cursor. Start without a cursor, and find the cause.
        case invalidCursor
        /// The cursor belongs to other feeds, another locale or another storefront.
        case scopeMismatch
        /// The storefront or a feed does not exist, or the server refuses for another reason.
        case refused
        /// Consecutive responses were not valid sync responses.
        case unreadable
    }

    public let code: Code
    /// The HTTP status of the response.
    public let status: Int
    public let message: String

    public var description: String { message }
}

/// The result of handling a response.
public struct SyncUpdate: Sendable, Equatable {
    /// An event to show to the user.
    public enum Note: Sendable, Equatable {
        /// A page was applied, and more follow.
        case lagging(version: Int, head: Int)
        /// The copy equals one committed state of the server.
        case upToDate(version: Int)
        /// The connection failed. The next attempt follows after this number of seconds.
        case disconnected(String, retryAfter: Double)
        /// The cursor is no longer valid. The note has the server's reason, and whether the copy is loaded again.
        case expired(reason: String, isReloaded: Bool)
        /// This number of buckets differs from the server.
        case repairing(buckets: Int)
        case repaired
    }

    /// The mutations in order. The engine has applied them to its copy; a journal has to store them.
    public internal(set) var edits: [CopyMutation] = []
    public internal(set) var changes: [CopyChange] = []
    public internal(set) var notes: [Note] = []
}

/// An exponential backoff with random jitter, so that clients do not retry at the same time.
struct Backoff {
    private static let first = 1.0
    private static let longest = 60.0
    /// The longest pause that a server may request, in seconds.
    private static let maxRetryAfter = 600

    private(set) var failures = 0

    mutating func reset() { failures = 0 }

    /// Returns the next pause in seconds. It is no shorter than the server requests.
    mutating func next(requested: Int?, using random: inout some RandomNumberGenerator) -> Double {
        let bound = min(Self.longest, Self.first * Double(1 << min(failures, 10)))
        failures += 1
        let own = Double.random(in: (bound / 2)...bound, using: &random)
        guard let requested else { return own }
        return max(own, Double(min(max(requested, 0), Self.maxRetryAfter)) + Double.random(in: 0...1, using: &random))
    }
}

internal import HTTPMessages

/// The HTTP/2 responses of a loop to the requests that it received recently, by the bytes of their fields.
///
/// Like `ReadyResponses`, the table has a fixed number of places and a limit of bytes. The loop empties it once a second.
struct HTTP2ReadyResponses: ~Copyable {
    /// The maximum size of all responses.
    static let maxBytes = 16 << 20
    /// The maximum size of one response.
    static let longestResponse = maxBytes / 16
    private static let bits = 8

    private var responses = [HTTP2ReadyResponse?](repeating: nil, count: 1 << bits)
    /// A part of the hash of the last head that could have been stored at each place.
    private var marks = [UInt32](repeating: 0, count: 1 << bits)
    private(set) var bytes = 0
    /// A random number, so that clients cannot choose requests that displace each other.
    private let seed: UInt64

    init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

    /// Returns the response to the request with these bytes, and its place. Returns nil if none is stored or if the content has
    /// changed.
    ///
    /// `likely` is the place of the last response on the connection. Most connections repeat their request, which is then
    /// found by one comparison.
    func find(_ head: Span<UInt8>, likely: Int?) -> (response: HTTP2ReadyResponse, place: Int)? {
        guard bytes > 0, head.count <= HTTP2ReadyResponse.longestHead else { return nil }
        if let likely, let response = responses[likely], response.isResponse(to: head) {
            return response.repetition.isCurrent ? (response, likely) : nil
        }
        let place = place(of: hash(of: head))
        guard place != likely, let response = responses[place], response.isResponse(to: head), response.repetition.isCurrent else {
            return nil
        }
        return (response, place)
    }

    /// Returns whether the last head of the same place had the same hash, and remembers this one. To make a ready response
    /// costs more than it saves if its request never comes again.
    mutating func isRepeated(_ head: Span<UInt8>) -> Bool {
        guard head.count <= HTTP2ReadyResponse.longestHead else { return false }
        let hash = hash(of: head)
        let mark = UInt32(truncatingIfNeeded: hash)
        let place = place(of: hash)
        guard marks[place] != mark else { return true }
        marks[place] = mark
        return false
    }

    /// Stores a response and returns its place. Returns nil if it is too large.
    mutating func insert(_ response: HTTP2ReadyResponse) -> Int? {
        guard response.size <= Self.longestResponse else { return nil }
        let head = response.head
        let place = place(of: hash(of: head.span))
        bytes -= responses[place]?.size ?? 0
        responses[place] = nil
        if bytes + response.size > Self.maxBytes { removeAll() }
        responses[place] = response
        bytes += response.size
        return place
    }

    mutating func removeAll() {
        guard bytes > 0 else { return }
        for place in responses.indices { responses[place] = nil }
        bytes = 0
    }

    private func place(of hash: UInt64) -> Int { Int(hash >> UInt64(64 - Self.bits)) }

    private func hash(of head: Span<UInt8>) -> UInt64 {
        var hash = SeededHash(seed: seed)
        hash.combine(head)
        return hash.value
    }
}

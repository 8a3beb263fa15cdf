internal import HTTPMessages

/// The responses of a loop to the requests that it received recently over any protocol. They are found by all bytes of a head, or by its
/// declared lines if the response depends on no other line.
///
/// The table has a fixed number of places and a limit of bytes, so that a client with many different requests only displaces
/// the responses to others. The loop empties it once a second.
struct ReadyResponses: ~Copyable {
    /// The maximum size of all responses.
    static let maxBytes = 16 << 20
    /// The maximum size of one response.
    static let longestResponse = maxBytes / 16
    fileprivate static let bits = 8

    /// A part of the hash of the last request at each place, for one property of requests.
    private struct Marks {
        private var marks = [UInt32](repeating: 0, count: 1 << ReadyResponses.bits)

        func contains(_ hash: UInt64) -> Bool { marks[ReadyResponses.place(of: hash)] == UInt32(truncatingIfNeeded: hash) }

        mutating func insert(_ hash: UInt64) { marks[ReadyResponses.place(of: hash)] = UInt32(truncatingIfNeeded: hash) }
    }

    private var responses = [ReadyResponse?](repeating: nil, count: 1 << bits)
    /// The last heads that could have been stored.
    private var heads = Marks()
    /// The last requests that could have been stored by their declared lines.
    private var declared = Marks()
    /// The requests whose responses depend on other lines; nil before the first one.
    private var undeclared: Marks?
    /// Whether a response is stored by all bytes of its head.
    private var hasHeads = false
    private(set) var bytes = 0
    /// A random number, so that clients cannot choose requests that displace each other.
    private let seed: UInt64

    init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

    var isEmpty: Bool { bytes == 0 }

    // MARK: Lookup

    /// Returns the response at the place of the last one of a connection, if the bytes start with its head. Most connections repeat
    /// their request, which is then found by one comparison. The content may have changed.
    func find(_ bytes: Span<UInt8>, at place: Int) -> ReadyResponse? {
        guard let response = responses[place], response.hasHead(atStartOf: bytes) else { return nil }
        return response
    }

    /// Returns the response to the request with a head; nil if none is stored or if the content has changed.
    ///
    /// `place` is that of the last response of a connection, which is compared first. It becomes the place of this one.
    func find(_ head: Span<UInt8>, near place: inout Int?) -> ReadyResponse? {
        guard hasHeads, head.count <= ReadyResponse.longestHead else { return nil }
        if let place, let response = responses[place], response.hasHead(head) { return response.repetition.isCurrent ? response : nil }
        let other = Self.place(of: hash(of: head))
        guard let response = responses[other], response.hasHead(head), response.repetition.isCurrent else { return nil }
        place = other
        return response
    }

    /// Returns a view of the head at the start of the bytes; nil if there is no head, or one to which no response can be ready.
    func view(of bytes: Span<UInt8>, _ limits: HTTP1Limits) -> RequestHeadView? {
        RequestHeadView(bytes, limits, upTo: ReadyResponse.longestHead, seed: seed)
    }

    /// Returns a view of the head of a stream; nil if no response to it can be ready.
    func view(of head: HTTP2Head) -> RequestHeadView? { head.view(upTo: ReadyResponse.longestHead, seed: seed) }

    /// Returns the response to the viewed request at the start of the bytes; nil if none is stored or if the content has changed.
    ///
    /// `place` becomes that of the response.
    func find(_ view: RequestHeadView, of bytes: Span<UInt8>, isFromProxy: Bool, near place: inout Int?) -> ReadyResponse? {
        let declared = Self.place(of: view.hash)
        guard let response = responses[declared], response.isResponse(to: view, of: bytes, isFromProxy: isFromProxy)
        else { return find(bytes.extracting(first: view.count), near: &place) }
        guard response.repetition.isCurrent else { return nil }
        guard let outcome = response.outcome else {
            place = declared
            return response
        }
        return find(view, of: bytes, isFromProxy: isFromProxy, response, at: declared, outcome, near: &place)
    }

    /// Returns the response for the languages of the viewed request. `response` is one to its declared lines, for an outcome that may be
    /// another one.
    private func find(
        _ view: RequestHeadView, of bytes: Span<UInt8>, isFromProxy: Bool, _ response: ReadyResponse, at declared: Int,
        _ outcome: String, near place: inout Int?
    ) -> ReadyResponse? {
        guard let languages = view.languages, let choice = response.repetition.languages else {
            return find(bytes.extracting(first: view.count), near: &place)
        }
        let chosen = choice.outcome(bytes.extracting(languages))
        if chosen == outcome {
            place = declared
            return response
        }
        let other = Self.place(of: hash(of: view, chosen))
        guard let response = responses[other], response.outcome == chosen,
            response.isResponse(to: view, of: bytes, isFromProxy: isFromProxy)
        else { return find(bytes.extracting(first: view.count), near: &place) }
        guard response.repetition.isCurrent else { return nil }
        place = other
        return response
    }

    // MARK: Storing

    /// Returns whether the last head of the same place had the same hash, and remembers this one. To make a ready response
    /// costs more than it saves if its request never comes again.
    mutating func isRepeated(_ head: Span<UInt8>) -> Bool {
        guard head.count <= ReadyResponse.longestHead else { return false }
        let hash = hash(of: head)
        guard !heads.contains(hash) else { return true }
        heads.insert(hash)
        return false
    }

    /// Returns the same for the declared lines. Returns false if the response to them is known to depend on other lines.
    mutating func isRepeated(_ view: RequestHeadView) -> Bool {
        guard declared.contains(view.hash) else {
            declared.insert(view.hash)
            return false
        }
        return !(undeclared?.contains(view.hash) ?? false)
    }

    /// Remembers that the response to a request is not stored by its declared lines.
    mutating func noteUndeclared(_ view: RequestHeadView) {
        var marks = undeclared ?? Marks()
        undeclared = nil
        marks.insert(view.hash)
        undeclared = marks
    }

    /// Stores a response and returns its place. Returns nil if it is too large. `view` is that of a response with declared lines.
    ///
    /// The place of the declared lines has the response for one outcome of languages. It shows how to find the others.
    mutating func insert(_ response: ReadyResponse, _ view: RequestHeadView? = nil) -> Int? {
        guard response.size <= Self.longestResponse else { return nil }
        let head = response.head
        var place = Self.place(of: view?.hash ?? hash(of: head.span))
        if let view, let outcome = response.outcome, let known = responses[place], known.repetition.isCurrent,
            known.isAlternative(to: response)
        {
            place = Self.place(of: hash(of: view, outcome))
        }
        bytes -= responses[place]?.size ?? 0
        responses[place] = nil
        if bytes + response.size > Self.maxBytes { removeAll() }
        responses[place] = response
        bytes += response.size
        if view == nil { hasHeads = true }
        return place
    }

    /// Returns the requests for which the response to this one may become ready; nil if no such request has come before. The head of
    /// the request must then record the fields on which the response depends.
    mutating func repetition(of head: RequestHead, _ bytes: Span<UInt8>, _ view: RequestHeadView?) -> PossibleRepetition? {
        guard head.isShareable else { return nil }
        var view = view
        if let seen = view, !isRepeated(seen) { view = nil }
        let isOfSameBytes = head.isRepeatable && isRepeated(bytes)
        return view == nil && !isOfSameBytes ? nil : PossibleRepetition(view: view, isOfSameBytes: isOfSameBytes)
    }

    /// Stores a response for later requests, if the record of its head permits it. `make` encodes it for requests with the same declared
    /// lines, or without a view for those with the same bytes. Returns the place of a stored response.
    mutating func insert(
        _ repetition: PossibleRepetition, of response: Response, to head: RequestHead, _ make: (RequestHeadView?) -> ReadyResponse?
    ) -> Int? {
        if let view = repetition.view {
            if response.repetition != nil, ReadyResponse.canShare(response, to: head, view) {
                return make(view).flatMap { insert($0, view) }
            }
            // With several lines of languages, the response says nothing about requests with one.
            if response.repetition?.languages == nil || view.languages != nil { noteUndeclared(view) }
        }
        guard repetition.isOfSameBytes, response.repetition != nil else { return nil }
        return make(nil).flatMap { insert($0) }
    }

    mutating func removeAll() {
        undeclared = nil
        guard bytes > 0 else { return }
        for place in responses.indices { responses[place] = nil }
        hasHeads = false
        bytes = 0
    }

    fileprivate static func place(of hash: UInt64) -> Int { Int(hash >> UInt64(64 - bits)) }

    /// Returns the hash of declared lines with an outcome of languages.
    private func hash(of view: RequestHeadView, _ outcome: String) -> UInt64 {
        var hash = SeededHash(seed: view.hash)
        hash.combine(outcome.utf8.span)
        return hash.value
    }

    private func hash(of head: Span<UInt8>) -> UInt64 {
        var hash = SeededHash(seed: seed)
        hash.combine(head)
        return hash.value
    }
}

/// The requests for which a response may become ready.
struct PossibleRepetition {
    /// The view of the head, if its declared lines have come before.
    let view: RequestHeadView?
    /// Whether all bytes of the head have come before.
    let isOfSameBytes: Bool
}

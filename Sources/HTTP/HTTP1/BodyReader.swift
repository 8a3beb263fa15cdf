internal import HTTPMessages

/// A reader that collects the body of a request within a limit, or forwards it in pieces.
final class BodyReader {
    private enum Framing {
        case length(Int)
        case chunked(ChunkedReader)
        /// The HTTP/2 frames determine the end.
        case frames
    }

    private(set) var bytes: [UInt8] = []
    private(set) var isComplete = false
    /// The number of body bytes so far.
    private var count = 0
    private let limit: Int
    private var framing: Framing
    /// The budget in which each stored byte counts.
    let lease: BodyLease

    /// Returns nil if the request has no body.
    ///
    /// `overhead` limits the bytes around the data. An announced length reserves no memory.
    init?(_ framing: BodyFraming, limit: Int, overhead: Int, budget: BodyBudget) throws(RequestError) {
        self.limit = limit
        lease = BodyLease(budget)
        switch framing {
        case .none: return nil
        case .length(let length), .frames(length: .some(let length)):
            guard length <= limit else { throw Self.tooLarge(limit) }
            self.framing = .length(length)
        case .chunked: self.framing = .chunked(ChunkedReader(overheadBytes: overhead))
        case .frames(length: nil): self.framing = .frames
        }
    }

    /// Returns the bytes since the last call, for a body that is not collected.
    func forward() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Consumes bytes of the body, and returns their number.
    func read(_ input: Span<UInt8>) throws(RequestError) -> Int {
        switch framing {
        case .length(let length):
            let part = min(length - count, input.count)
            try append(input.extracting(0..<part))
            isComplete = count == length
            return part
        case .frames:
            guard count + input.count <= limit else { throw Self.tooLarge(limit) }
            try append(input)
            return input.count
        case .chunked(var reader):
            defer { framing = .chunked(reader) }
            var position = 0
            while true {
                switch try reader.next(in: input, at: &position) {
                case .incomplete: return position
                case .end:
                    isComplete = true
                    return position
                case .data(let range):
                    guard count + range.count <= limit else { throw Self.tooLarge(limit) }
                    try append(input.extracting(range))
                }
            }
        }
    }

    private func append(_ part: Span<UInt8>) throws(RequestError) {
        try lease.grow(by: part.count)
        count += part.count
        unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    private static func tooLarge(_ limit: Int) -> RequestError { RequestError(.contentTooLarge, "the body has more than \(limit) bytes") }
}

internal import Glibc
internal import HTTPMessages

/// A response with the head of its request. A subclass for each protocol encodes it.
///
/// Only the thread of its loop uses it.
class ReadyResponse {
    /// The maximum size of the head of a request.
    static let longestHead = 2_048
    /// The size of the object and its buffers without their bytes, and of the data of its observers.
    private static let overhead = 3_072

    /// All bytes of the head of the request. Those of HTTP/1.1 end with an empty line, those of HTTP/2 have the form of `HTTP2Head`.
    /// Empty if requests with the same bytes may get different responses.
    final let head: [UInt8]
    final let repetition: Repetition
    /// The body; nil if none is sent.
    final let body: SharedBytes?
    /// The bytes that the response keeps in memory, including those that it shares with others.
    final let size: Int

    /// Returns the permission to keep a response; nil if the handler or the request forbids it, if the response has no ID, or if its body
    /// is a stream. A shared response is also one to requests whose bytes differ.
    static func permission(
        of response: Response, to head: RequestHead, _ bytes: Span<UInt8>, isShared: Bool = false
    ) -> Repetition? {
        if case .stream = response.body { return nil }
        guard response.requestID != nil, !head.isOfClient, isShared ? head.isShareable : head.isRepeatable, bytes.count <= longestHead
        else { return nil }
        return response.repetition
    }

    /// Returns the body that is sent; nil if the response has no body.
    static func body(of response: Response, to head: RequestHead) -> SharedBytes? {
        guard case .stored(let stored) = response.body, head.method != .head, !response.status.hasNoBody else { return nil }
        return stored
    }

    /// Keeps a response with its permission. `encodedBytes` is the size of its encoded form, which may include a copy of the body.
    init(_ response: Response, _ repetition: Repetition, to head: RequestHead, _ bytes: Span<UInt8>, encodedBytes: Int) {
        self.repetition = repetition
        var copy: [UInt8] = []
        if head.isRepeatable { bytes.append(to: &copy) }
        self.head = copy
        body = Self.body(of: response, to: head)
        size = Self.overhead + copy.count + encodedBytes + (body?.count ?? 0)
    }

    /// Whether the bytes start with the head. In HTTP/1.1, no further bytes can belong to it, because it ends with its only empty line.
    final func hasHead(atStartOf bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= head.count, !head.isEmpty else { return false }
        return unsafe head.withUnsafeBytes { own in
            unsafe bytes.withUnsafeBytes { others in
                guard let start = own.baseAddress, let otherStart = others.baseAddress else { return false }
                return unsafe memcmp(start, otherStart, own.count) == 0
            }
        }
    }

    /// Whether these are the bytes of the head.
    final func hasHead(_ bytes: Span<UInt8>) -> Bool { bytes.count == head.count && hasHead(atStartOf: bytes) }
}

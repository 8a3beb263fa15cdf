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
    /// The declared lines of the request; nil if the response depends on other lines.
    final let declaredLines: [UInt8]?
    /// The outcome of the languages of the request; nil if they do not decide the response.
    final let outcome: String?
    /// Whether the peer is a trusted proxy.
    private final let isFromProxy: Bool
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

    /// Whether a response can be sent to requests with the same declared lines, perhaps only for one outcome of their languages. The head
    /// must have a record of no other fields.
    static func canShare(_ response: Response, to head: RequestHead, _ view: RequestHeadView) -> Bool {
        head.isOfDeclaredFields
            || response.repetition?.languages != nil && view.languages != nil && head.isOfDeclaredFieldsOrLanguages
    }

    /// Returns the body that is sent; nil if the response has no body.
    static func body(of response: Response, to head: RequestHead) -> SharedBytes? {
        guard case .stored(let stored) = response.body, head.method != .head, !response.status.hasNoBody else { return nil }
        return stored
    }

    /// Keeps a response with its permission. `encodedBytes` is the size of its encoded form, which may include a copy of the body. With a
    /// view of the bytes, the response is also one to requests with the same declared lines.
    init(
        _ response: Response, _ repetition: Repetition, to head: RequestHead, _ bytes: Span<UInt8>, _ view: RequestHeadView?,
        isFromProxy: Bool, encodedBytes: Int
    ) {
        self.repetition = repetition
        declaredLines = view?.declaredLines(of: bytes)
        if let languages = view?.languages, let choice = repetition.languages, !head.isOfDeclaredFields {
            outcome = choice.outcome(bytes.extracting(languages))
        } else {
            outcome = nil
        }
        self.isFromProxy = isFromProxy
        var copy: [UInt8] = []
        if head.isRepeatable { bytes.append(to: &copy) }
        self.head = copy
        body = Self.body(of: response, to: head)
        size = Self.overhead + copy.count + (declaredLines?.count ?? 0) + encodedBytes + (body?.count ?? 0)
    }

    /// Whether the head has the same declared lines, and is also from a proxy or not. `bytes` start with the head.
    final func isResponse(to view: RequestHeadView, of bytes: Span<UInt8>, isFromProxy: Bool) -> Bool {
        guard let declaredLines, self.isFromProxy == isFromProxy else { return false }
        return view.hasDeclaredLines(declaredLines.span, in: bytes)
    }

    /// Whether this is a response to the same declared lines, for another outcome of languages.
    final func isAlternative(to other: ReadyResponse) -> Bool {
        outcome != nil && other.outcome != nil && outcome != other.outcome && declaredLines == other.declaredLines
            && isFromProxy == other.isFromProxy
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

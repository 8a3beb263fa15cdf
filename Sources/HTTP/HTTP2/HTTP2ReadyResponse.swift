internal import CNGHTTP2
internal import Glibc
internal import HTTPMessages

/// An HTTP/2 response with the head of its request. Its fields have the form that nghttp2 reads, except for the date and the ID.
///
/// Only the thread of its loop uses it.
@safe final class HTTP2ReadyResponse {
    /// The maximum size of the fields of a request with their lengths.
    static let longestHead = 1_024
    /// The size of the object and its buffers without their bytes, and of the data of its observers.
    private static let overhead = 3_072
    /// The index of `date` in the fields of a response, after the status.
    private static let dateIndex = 1

    /// The bytes of the fields of the request, in the form of `HTTP2Head`.
    let head: [UInt8]
    let repetition: Repetition
    /// The body; nil if none is sent.
    let body: SharedBytes?
    /// The names and values to which the pairs point.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The fields. The values of the date and the ID are assigned for each request.
    private let pairs: UnsafeMutableBufferPointer<nghttp2_nv>
    private let idIndex: Int
    /// The ID of the last request.
    private var id: [UInt8] = []

    /// The bytes that the response keeps in memory, including those that it shares with others.
    var size: Int { unsafe Self.overhead + head.count + bytes.count + (body?.count ?? 0) }

    /// Returns nil if the handler or the request forbids to repeat the response, if it has no ID, or if its body is a stream.
    ///
    /// `shared` are the fields of all responses.
    init?(_ response: Response, to head: RequestHead, _ headBytes: Span<UInt8>, shared: PrebuiltHeaders) {
        guard let repetition = response.repetition, head.isRepeatable, !head.isOfClient, headBytes.count <= Self.longestHead else {
            return nil
        }
        let block = HeaderBlock(of: response, date: [], shared: shared)
        guard let idIndex = block.index(of: HeaderBlock.idName), response.requestID != nil else { return nil }
        switch response.body {
        case .stream: return nil
        case .stored(let stored) where head.method != .head && !response.status.hasNoBody: body = stored
        case .stored, .empty: body = nil
        }
        self.repetition = repetition
        var copy: [UInt8] = []
        headBytes.append(to: &copy)
        self.head = copy
        self.idIndex = idIndex
        let made = unsafe block.makePairs()
        unsafe bytes = made.bytes
        unsafe pairs = made.pairs
        for index in unsafe pairs.indices {
            let isOwn = index == Self.dateIndex || index == idIndex
            let flags = (isOwn ? 0 : NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue) | NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue
            unsafe pairs[index].flags |= UInt8(flags)
        }
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe pairs.deallocate()
    }

    /// Whether the bytes are those of the head.
    func isResponse(to bytes: Span<UInt8>) -> Bool {
        guard bytes.count == head.count else { return false }
        return unsafe head.withUnsafeBytes { own in
            unsafe bytes.withUnsafeBytes { others in
                guard let start = own.baseAddress, let otherStart = others.baseAddress else { return false }
                return unsafe memcmp(start, otherStart, own.count) == 0
            }
        }
    }

    /// Responds on a stream, which must keep the response until it is closed.
    func send(_ request: RequestID, date: [UInt8], on stream: Int32, of session: HTTP2Session?) {
        id.removeAll(keepingCapacity: true)
        request.append(to: &id)
        // nghttp2 copies both values, because they change before the fields are sent.
        unsafe date.withUnsafeBufferPointer { date in
            unsafe id.withUnsafeBufferPointer { id in
                unsafe setValue(of: Self.dateIndex, date)
                unsafe setValue(of: idIndex, id)
                unsafe session?.respond(stream, UnsafeBufferPointer(pairs), hasBody: body != nil)
            }
        }
    }

    private func setValue(of index: Int, _ value: UnsafeBufferPointer<UInt8>) {
        unsafe pairs[index].value = UnsafeMutablePointer(mutating: value.baseAddress)
        unsafe pairs[index].valuelen = value.count
    }
}

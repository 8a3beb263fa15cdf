internal import CNGHTTP2
internal import HTTPMessages

/// A ready HTTP/2 response. Its fields have the form that nghttp2 reads, except for the date and the ID.
@safe final class HTTP2ReadyResponse: ReadyResponse {
    /// The index of `date` in the fields of a response, after the status.
    private static let dateIndex = 1

    /// The names and values to which the pairs point.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The fields. The values of the date and the ID are assigned for each request.
    private let pairs: UnsafeMutableBufferPointer<nghttp2_nv>
    private let idIndex: Int
    /// The ID of the last request.
    private var id: [UInt8] = []

    /// Returns nil if the response must not be kept. `shared` are the fields of all responses.
    init?(_ response: Response, to head: RequestHead, _ headBytes: Span<UInt8>, shared: PrebuiltHeaders) {
        guard let repetition = Self.permission(of: response, to: head, headBytes) else { return nil }
        let block = HeaderBlock(of: response, date: [], shared: shared)
        guard let idIndex = block.index(of: HeaderBlock.idName) else { return nil }
        self.idIndex = idIndex
        let made = unsafe block.makePairs()
        unsafe bytes = made.bytes
        unsafe pairs = made.pairs
        for index in unsafe pairs.indices {
            let isOwn = index == Self.dateIndex || index == idIndex
            let flags = (isOwn ? 0 : NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue) | NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue
            unsafe pairs[index].flags |= UInt8(flags)
        }
        unsafe super.init(response, repetition, to: head, headBytes, encodedBytes: bytes.count)
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe pairs.deallocate()
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

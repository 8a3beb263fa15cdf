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
    ///
    /// With a view of the bytes, the response is also one to requests with the same declared lines, if it can be shared.
    init?(
        _ response: Response, to head: RequestHead, _ headBytes: Span<UInt8>, _ view: RequestHeadView? = nil, isFromProxy: Bool = false,
        shared: PrebuiltHeaders
    ) {
        let view = view.flatMap { Self.canShare(response, to: head, $0) ? $0 : nil }
        guard let repetition = Self.permission(of: response, to: head, headBytes, isShared: view != nil) else { return nil }
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
        unsafe super.init(response, repetition, to: head, headBytes, view, isFromProxy: isFromProxy, encodedBytes: bytes.count)
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe pairs.deallocate()
    }

    /// Responds on a stream, which must keep the response until it is closed.
    func send(_ request: RequestID, date: [UInt8], on stream: Int32, of session: HTTP2Session?) {
        id.removeAll(keepingCapacity: true)
        request.append(to: &id)
        send(date: date, on: stream, of: session)
    }

    /// Responds with an ID of the client.
    func send(clientID: Span<UInt8>, date: [UInt8], on stream: Int32, of session: HTTP2Session?) {
        id.removeAll(keepingCapacity: true)
        clientID.append(to: &id)
        send(date: date, on: stream, of: session)
    }

    private func send(date: [UInt8], on stream: Int32, of session: HTTP2Session?) {
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

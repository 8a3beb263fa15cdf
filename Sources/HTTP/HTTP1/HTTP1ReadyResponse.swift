internal import HTTPMessages

/// A ready HTTP/1.1 response: one block of bytes with a place for the ID.
///
/// The block has the date, so the loop drops all ready responses when the date changes.
final class HTTP1ReadyResponse: ReadyResponse {
    /// The response up to its body, or to its end if the body is short.
    private let block: [UInt8]
    /// The index of the ID.
    private let idIndex: Int
    private let hasSeparateBody: Bool

    /// Returns nil if the response must not be kept. `opening` is the start of all responses at this time.
    ///
    /// With a view of the bytes, the response is also one to requests with the same declared lines, if it can be shared.
    init?(
        _ response: Response, to head: RequestHead, _ bytes: Span<UInt8>, _ view: RequestHeadView? = nil, isFromProxy: Bool = false,
        after opening: HTTP1ResponsePrefix
    ) {
        let view = view.flatMap { Self.canShare(response, to: head, $0) ? $0 : nil }
        guard let repetition = Self.permission(of: response, to: head, bytes, isShared: view != nil) else { return nil }
        var block: [UInt8] = []
        opening.append(of: response.status, to: &block)
        response.appendSharedFields(to: &block)
        block.append(HTTP1ResponseWriter.idPrefix)
        idIndex = block.count
        block.append(contentsOf: repeatElement(0, count: RequestID.digitCount))
        block.append("\r\n")
        response.appendOwnFields(to: &block, version: head.version, keepsAlive: true)
        let body = Self.body(of: response, to: head)
        hasSeparateBody = (body?.count ?? 0) > OutputBuffer.copied
        if let body, !hasSeparateBody { unsafe block.append(contentsOf: body.buffer(0..<body.count)) }
        self.block = block
        super.init(response, repetition, to: head, bytes, view, isFromProxy: isFromProxy, encodedBytes: block.count)
    }

    /// The number of bytes of the response.
    var byteCount: Int { block.count + (hasSeparateBody ? body?.count ?? 0 : 0) }

    /// Writes a response for each ID.
    func write(_ ids: RequestIDs, to output: OutputBuffer) {
        guard hasSeparateBody, let body else {
            return unsafe output.append(block, times: ids.count) { [idIndex] copy, index in
                unsafe ids.write(index, over: UnsafeMutableRawBufferPointer(rebasing: copy[idIndex...]))
            }
        }
        for index in 0..<ids.count {
            unsafe output.append(block, times: 1) { [idIndex] copy, _ in
                unsafe ids.write(index, over: UnsafeMutableRawBufferPointer(rebasing: copy[idIndex...]))
            }
            output.append(body)
        }
    }

    /// Writes the response with an ID of the client.
    func write(clientID id: Span<UInt8>, to output: OutputBuffer) {
        output.head.append(contentsOf: block[..<idIndex])
        id.append(to: &output.head)
        output.head.append(contentsOf: block[(idIndex + RequestID.digitCount)...])
        if hasSeparateBody, let body { output.append(body) }
    }
}

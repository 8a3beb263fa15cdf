internal import CNGHTTP2
internal import HTTPMessages

/// The HTTP/2 state of one connection, kept by nghttp2. It neither reads nor writes a socket.
@safe final class HTTP2Session {
    /// The delegate; nil after the connection has closed.
    var receiver: (any HTTP2SessionDelegate)?
    /// The head that is being received, or the last one.
    private(set) var head: HTTP2Head
    private var pointer: OpaquePointer?

    /// Creates the session of a server. Returns nil if memory is exhausted.
    init?(_ limits: ServerLimits) {
        var table: OpaquePointer?
        var option: OpaquePointer?
        head = HTTP2Head(limits.head)
        guard unsafe nghttp2_session_callbacks_new(&table) == 0, unsafe nghttp2_option_new(&option) == 0 else { return nil }
        defer {
            unsafe nghttp2_session_callbacks_del(table)
            unsafe nghttp2_option_del(option)
        }
        unsafe Self.fill(table)
        // Closed streams would be kept for priorities, which the server ignores.
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        // A client that opens and resets one stream after another causes useless work.
        unsafe nghttp2_option_set_stream_reset_rate_limit(
            option, UInt64(clamping: limits.http2.resets), UInt64(clamping: max(1, limits.http2.resets / 10)))
        // The window of a stream depends on the consumed bytes: see `consume`.
        unsafe nghttp2_option_set_no_auto_window_update(option, 1)
        unsafe nghttp2_option_set_max_outbound_ack(option, max(1, limits.http2.controlFrames))
        guard unsafe nghttp2_session_server_new2(&pointer, table, Unmanaged.passUnretained(self).toOpaque(), option) == 0,
            unsafe cnghttp2_submit_settings(
                pointer, UInt32(clamping: limits.http2.streams), 65_535, UInt32(clamping: limits.head.headerBytes)) == 0
        else { return nil }
    }

    deinit { unsafe nghttp2_session_del(pointer) }

    /// Returns false if the client does not speak HTTP/2 or exceeds a limit. The next output then contains the error.
    func receive(_ bytes: Span<UInt8>) -> Bool {
        let count = unsafe bytes.withUnsafeBufferPointer { unsafe nghttp2_session_mem_recv(pointer, $0.baseAddress, $0.count) }
        guard count < 0 else { return true }
        let isStranger = count == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue)
        goAway(isStranger ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_ENHANCE_YOUR_CALM)
        return false
    }

    fileprivate func noteData(_ count: Int, of id: Int32, isAccepted: Bool) {
        _ = unsafe nghttp2_session_consume_connection(pointer, count)
        if isAccepted { consume(count, of: id) }
    }

    /// Extends the window of a stream by the number of consumed bytes. The window of the connection does not depend on
    /// its streams.
    func consume(_ count: Int, of id: Int32) { _ = unsafe nghttp2_session_consume_stream(pointer, id, count) }

    /// Passes the next output to a body. Returns false if there is no more.
    func nextOutput(_ body: (Span<UInt8>) -> Void) -> Bool {
        // The fields of ready responses are released with their streams.
        guard receiver != nil else { return false }
        var start: UnsafePointer<UInt8>?
        let count = unsafe nghttp2_session_mem_send(pointer, &start)
        guard count > 0, let start = unsafe start else { return false }
        unsafe body(UnsafeBufferPointer(start: start, count: count).span)
        return true
    }

    /// Whether neither side has anything more to send.
    var isOver: Bool { unsafe nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0 }

    /// Returns the open stream with an ID, and nil after the connection has closed.
    func stream(_ id: Int32) -> HTTP2Stream? {
        guard receiver != nil, let data = unsafe nghttp2_session_get_stream_user_data(pointer, id) else { return nil }
        return unsafe Unmanaged<HTTP2Stream>.fromOpaque(data).takeUnretainedValue()
    }

    /// Stores a stream where `stream` finds it. The receiver must keep it until `close`.
    func attach(_ stream: HTTP2Stream) {
        _ = unsafe nghttp2_session_set_stream_user_data(pointer, stream.id, Unmanaged.passUnretained(stream).toOpaque())
    }

    func respond(_ id: Int32, _ fields: HeaderBlock, hasBody: Bool) {
        unsafe fields.withPairs { pairs in unsafe respond(id, pairs, hasBody: hasBody) }
    }

    /// Responds with names and values. nghttp2 copies their bytes, except that it reads those with `NGHTTP2_NV_FLAG_NO_COPY_NAME` or
    /// `NGHTTP2_NV_FLAG_NO_COPY_VALUE` until the stream is closed.
    func respond(_ id: Int32, _ pairs: UnsafeBufferPointer<nghttp2_nv>, hasBody: Bool) {
        var provider = unsafe nghttp2_data_provider()
        unsafe provider.read_callback = Self.readData
        _ = unsafe withUnsafePointer(to: provider) { provider in
            unsafe nghttp2_submit_response(pointer, id, pairs.baseAddress, pairs.count, hasBody ? provider : nil)
        }
    }

    func resume(_ id: Int32) { _ = unsafe nghttp2_session_resume_data(pointer, id) }

    func reset(_ id: Int32, isServerFault: Bool = true) {
        let code = isServerFault ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_NO_ERROR
        _ = unsafe nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
    }

    /// Accepts no new streams, and ends the session when the open ones are closed.
    func goAway(_ code: nghttp2_error_code = NGHTTP2_NO_ERROR) {
        let last = unsafe nghttp2_session_get_last_proc_stream_id(pointer)
        _ = unsafe nghttp2_submit_goaway(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code.rawValue, nil, 0)
    }

    private static func fill(_ table: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(table) { _, frame, user in
            if let frame = unsafe frame, unsafe cnghttp2_is_request(frame) != 0 {
                unsafe session(user)?.head.removeAll()
                unsafe listener(user)?.startHead(frame.pointee.hd.stream_id)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(table) { _, frame, name, nameCount, value, valueCount, _, user in
            guard let frame = unsafe frame, unsafe cnghttp2_is_request(frame) != 0 else { return 0 }
            let name = unsafe UnsafeBufferPointer(start: name, count: nameCount)
            let value = unsafe UnsafeBufferPointer(start: value, count: valueCount)
            unsafe session(user)?.head.append(name.span, value.span)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(table) { _, frame, user in
            guard let frame = unsafe frame, unsafe cnghttp2_is_data_or_headers(frame) != 0 else { return 0 }
            let id = unsafe frame.pointee.hd.stream_id
            let isEnd = unsafe cnghttp2_is_end_of_stream(frame) != 0
            if unsafe cnghttp2_is_request(frame) != 0 {
                unsafe listener(user)?.completeHead(id, hasBody: !isEnd)
            } else if isEnd {
                unsafe listener(user)?.completeBody(id)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table) { _, _, id, data, count, user in
            let data = unsafe UnsafeBufferPointer(start: data, count: count)
            let isAccepted = unsafe listener(user)?.addData(id, data.span) ?? true
            unsafe session(user)?.noteData(count, of: id, isAccepted: isAccepted)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(table) { _, id, _, user in
            unsafe listener(user)?.close(id)
            return 0
        }
        // nghttp2 would send 4 KB in a frame. Each frame costs a header, two callbacks and two I/O vectors.
        unsafe nghttp2_session_callbacks_set_data_source_read_length_callback(table) { _, _, _, _, _, limit, _ in
            min(Int(limit), largestFrame)
        }
        unsafe nghttp2_session_callbacks_set_send_data_callback(table) { _, frame, header, count, _, user in
            guard let frame = unsafe frame else { return 0 }
            let header = unsafe UnsafeBufferPointer(start: header, count: 9)
            let isSent = unsafe listener(user)?.sendData(frame.pointee.hd.stream_id, header.span, count) ?? true
            return isSent ? 0 : NGHTTP2_ERR_WOULDBLOCK.rawValue
        }
    }

    private static let readData: nghttp2_data_source_read_callback = { _, id, _, limit, flags, _, user in
        guard let next = unsafe listener(user)?.available(id, limit) else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        unsafe flags?.pointee |= cnghttp2_no_copy | (next.isLast ? cnghttp2_end : 0)
        return next.count
    }
}

/// The maximum size of DATA frames, which is the smallest limit that a client may have.
private let largestFrame = 16_384

private func session(_ user: UnsafeMutableRawPointer?) -> HTTP2Session? {
    guard let user = unsafe user else { return nil }
    return unsafe Unmanaged<HTTP2Session>.fromOpaque(user).takeUnretainedValue()
}

private func listener(_ user: UnsafeMutableRawPointer?) -> (any HTTP2SessionDelegate)? { unsafe session(user)?.receiver }

/// The receiver of the events of an HTTP/2 session and the source of its output.
protocol HTTP2SessionDelegate: AnyObject {
    func startHead(_ id: Int32)
    /// Handles that the head of the session is that of the stream, with all fields.
    func completeHead(_ id: Int32, hasBody: Bool)
    /// Returns false if the bytes are not yet consumed. They are reported to `consume` later.
    func addData(_ id: Int32, _ bytes: Span<UInt8>) -> Bool
    func completeBody(_ id: Int32)
    func close(_ id: Int32)
    /// Returns the number of bytes that are ready, up to the limit, and whether they are the last. Returns nil if
    /// `resume` will be called when there are more.
    func available(_ id: Int32, _ limit: Int) -> (count: Int, isLast: Bool)?
    /// Sends the header of a DATA frame and the given number of bytes of the stream after it. Returns false if there is
    /// no room at present.
    func sendData(_ id: Int32, _ header: Span<UInt8>, _ count: Int) -> Bool
}

/// The limits of one HTTP/2 client.
package struct HTTP2Limits: Sendable {
    /// The number of requests without a complete response.
    package var streams = 100
    /// The number of requests that a client may reset in a burst. A tenth of it is added each second.
    package var resets = 200
    /// The number of SETTINGS and PING acknowledgments that the client has not read.
    package var controlFrames = 200

    package init() {}
}

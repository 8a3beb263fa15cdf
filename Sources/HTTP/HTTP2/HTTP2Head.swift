internal import HTTPMessages

/// The fields of the request whose head a connection receives, in one buffer that is used for one request after another.
///
/// A session has one, because no other frame comes between the parts of a head.
struct HTTP2Head {
    /// The size above which the buffer does not stay for the next request.
    private static let largestIdleBuffer = 4_096
    /// The size of the two lengths before each field.
    private static let lengthBytes = 4

    private let limits: HTTP1Limits
    /// Each field in the order of its arrival: the lengths of its name and its value, the name, and the value. The bytes after
    /// `count` belong to earlier requests.
    private var buffer: [UInt8] = []
    private var count = 0
    /// The size as counted by RFC 9113.
    private var fieldBytes = 0
    /// The number of fields without the pseudo-header fields.
    private var fieldCount = 0
    /// The reason why the request is refused. The buffer then has only a part of the fields.
    private(set) var error: RequestError?

    init(_ limits: HTTP1Limits) { self.limits = limits }

    mutating func removeAll() {
        if buffer.count > Self.largestIdleBuffer { buffer = [] }
        count = 0
        fieldBytes = 0
        fieldCount = 0
        error = nil
    }

    /// Adds a field whose form nghttp2 has checked.
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        guard error == nil else { return }
        fieldBytes += name.count + value.count + 32
        guard fieldBytes <= limits.headerBytes, fieldCount < limits.headerCount,
            let nameCount = UInt16(exactly: name.count), let valueCount = UInt16(exactly: value.count)
        else {
            return error = RequestError(.headersTooLarge, "the headers are larger than this server accepts")
        }
        if !name.isPseudoField {
            fieldCount += 1
        } else if value.count > limits.targetBytes, name.isExactly(":path") {
            return error = RequestError(.targetTooLong, "the target has more than \(limits.targetBytes) bytes")
        }
        let start = count
        let end = start + Self.lengthBytes + name.count + value.count
        if end > buffer.count { buffer.append(contentsOf: repeatElement(0, count: max(512, 2 * end) - buffer.count)) }
        unsafe buffer.withUnsafeMutableBytes { buffer in
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
            unsafe place.storeBytes(of: nameCount, as: UInt16.self)
            unsafe place.storeBytes(of: valueCount, toByteOffset: 2, as: UInt16.self)
            unsafe name.withUnsafeBytes { name in
                unsafe UnsafeMutableRawBufferPointer(rebasing: place.dropFirst(Self.lengthBytes)).copyMemory(from: name)
            }
            unsafe value.withUnsafeBytes { value in
                unsafe UnsafeMutableRawBufferPointer(rebasing: place.dropFirst(place.count - value.count)).copyMemory(from: value)
            }
        }
        count = end
    }

    /// Passes the bytes of all fields with their lengths. Two requests with equal bytes have equal fields in the same order.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result { body(buffer.span.extracting(first: count)) }

    /// Returns a view of the head; nil if the head is refused, longer than `longest`, or has many runs of declared fields.
    ///
    /// If `makeHead` accepts a head, it also accepts each head with the same declared fields for which there is a view, because it examines
    /// no other field.
    func view(upTo longest: Int, seed: UInt64) -> RequestHeadView? {
        guard error == nil, count <= longest else { return nil }
        var view = RequestHeadView(seed: seed)
        view.count = count
        var position = 0
        var start = 0
        while let field = field(at: &position) {
            let name = buffer.span.extracting(field.name)
            if name.isPseudoField || view.note(name, field.value) {
                guard view.append(start..<position, buffer.span.extracting(start..<position)) else { return nil }
            }
            start = position
        }
        return view
    }

    /// Whether the method is HEAD, also if the request is refused.
    var isForHead: Bool {
        var position = 0
        while let field = field(at: &position) {
            if isName(field.name, ":method") { return buffer.span.extracting(field.value).isExactly("HEAD") }
        }
        return false
    }

    /// Returns the head of the request. Its fields are well formed, because nghttp2 has checked them.
    func makeHead(hasBody: Bool) throws(RequestError) -> RequestHead {
        if let error { throw error }
        var method = Method.other("")
        var path = 0..<0
        var authority = 0..<0
        var fields = HTTPFields()
        var position = 0
        while let (name, value) = field(at: &position) {
            if buffer.span.extracting(name).isPseudoField {
                if isName(name, ":method") {
                    method = Method(buffer.span.extracting(value))
                } else if isName(name, ":path") {
                    path = value
                } else if isName(name, ":authority") {
                    authority = value
                }
            } else {
                if authority.isEmpty, isName(name, "host") { authority = value }
                fields.append(name: buffer.span.extracting(name), value: buffer.span.extracting(value))
            }
        }
        if method == .other("CONNECT") { throw RequestError(.notImplemented, "this server is not a proxy") }
        let isServer = method == .options && isName(path, "*")
        let target = isServer ? RequestTarget.server : try RequestTarget(parsing: buffer.span.extracting(path))
        let length = fields[.contentLength].flatMap { Int($0) }
        let host = authority.isEmpty ? nil : try Authority.host(of: buffer.span.extracting(authority))
        if let other = fields[.host].map({ Array($0.utf8) }), try Authority.host(of: other.span) != host {
            throw RequestError(.badRequest, "the Host header differs from the authority")
        }
        return RequestHead(
            method: method, target: target, version: .http2,
            authority: host, fields: fields,
            framing: hasBody ? .frames(length: length) : .none,
            expectsContinue: fields.contains(.expect))
    }

    /// Returns the places of the name and the value of the next field, or nil at the end.
    private func field(at position: inout Int) -> (name: Range<Int>, value: Range<Int>)? {
        guard position < count else { return nil }
        let (nameCount, valueCount) = unsafe buffer.withUnsafeBytes { buffer in
            unsafe (
                buffer.loadUnaligned(fromByteOffset: position, as: UInt16.self),
                buffer.loadUnaligned(fromByteOffset: position + 2, as: UInt16.self)
            )
        }
        let start = position + Self.lengthBytes
        let middle = start + Int(nameCount)
        position = middle + Int(valueCount)
        return (start..<middle, middle..<position)
    }

    private func isName(_ range: Range<Int>, _ text: StaticString) -> Bool { buffer.span.extracting(range).isExactly(text) }
}

extension Span<UInt8> {
    /// Whether the bytes are the name of a pseudo-header field.
    fileprivate var isPseudoField: Bool { !isEmpty && self[0] == UInt8(ascii: ":") }
}

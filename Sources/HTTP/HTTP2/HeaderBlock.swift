internal import CNGHTTP2
internal import HTTPMessages

struct HeaderBlock: Sendable {
    private struct Field {
        let nameCount: Int
        let valueCount: Int
        /// Whether the field may recur, so that the client should keep it in its header table.
        let isLasting: Bool
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    init(_ fields: [ResponseField]) {
        for field in fields { append(field) }
    }

    static let idName: StaticString = "x-request-id"

    /// Creates the fields of a response. The second one is the date.
    init(of response: Response, date: [UInt8], shared: PrebuiltHeaders) {
        bytes.reserveCapacity(1_024)
        fields.reserveCapacity(24)
        append(":status", String(response.status.rawValue).utf8)
        append("date", date)
        append(shared.block)
        if let prepared = response.prepared { append(prepared.block) }
        if let common = response.common { append(common.block) }
        // Every ID is different: in the header table of the client they would displace the fields that recur.
        if let id = response.requestID { append(Self.idName, id.text.utf8, isLasting: false) }
        for field in response.fields { append(field) }
        if !response.status.hasNoBody, let count = response.contentLength ?? response.body.count {
            append("content-length", String(count).utf8)
        }
    }

    private mutating func append(_ name: StaticString, _ value: some Collection<UInt8>, isLasting: Bool = true) {
        bytes.append(name)
        bytes.append(contentsOf: value)
        fields.append(Field(nameCount: name.utf8CodeUnitCount, valueCount: value.count, isLasting: isLasting))
    }

    private mutating func append(_ field: ResponseField) {
        append(field.name.bytes, field.value.utf8, isLasting: field.name != "traceparent")
    }

    private mutating func append(_ other: HeaderBlock) {
        bytes.append(contentsOf: other.bytes)
        fields.append(contentsOf: other.fields)
    }

    /// Returns the index of the first field with a name.
    func index(of name: StaticString) -> Int? {
        var start = 0
        for (index, field) in fields.enumerated() {
            if bytes.span.extracting(start..<(start + field.nameCount)).isExactly(name) { return index }
            start += field.nameCount + field.valueCount
        }
        return nil
    }

    /// Passes the fields in the form that nghttp2 requires.
    func withPairs<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { pairs in
                unsafe initialize(pairs, pointingTo: bytes)
                return unsafe body(UnsafeBufferPointer(pairs))
            }
        }
    }

    /// Returns the fields in the form that nghttp2 requires, and the bytes to which they point. The caller deallocates both.
    func makePairs() -> (bytes: UnsafeMutableBufferPointer<UInt8>, pairs: UnsafeMutableBufferPointer<nghttp2_nv>) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        let pairs = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: fields.count)
        unsafe initialize(pairs, pointingTo: UnsafeBufferPointer(copy))
        return unsafe (copy, pairs)
    }

    private func initialize(_ pairs: UnsafeMutableBufferPointer<nghttp2_nv>, pointingTo bytes: UnsafeBufferPointer<UInt8>) {
        var place = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
        for (index, field) in fields.enumerated() {
            let value = unsafe place.map { unsafe $0 + field.nameCount }
            let flags = field.isLasting ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX
            unsafe pairs.initializeElement(
                at: index,
                to: nghttp2_nv(
                    name: place, value: value, namelen: field.nameCount, valuelen: field.valueCount, flags: UInt8(flags.rawValue)))
            unsafe place = value.map { unsafe $0 + field.valueCount }
        }
    }
}

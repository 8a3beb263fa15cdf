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

    init() {}

    init(_ fields: [ResponseField]) {
        for field in fields { append(field) }
    }

    mutating func reserve() {
        bytes.reserveCapacity(1_024)
        fields.reserveCapacity(24)
    }

    mutating func append(_ name: StaticString, _ value: some Collection<UInt8>, isLasting: Bool = true) {
        bytes.append(name)
        bytes.append(contentsOf: value)
        fields.append(Field(nameCount: name.utf8CodeUnitCount, valueCount: value.count, isLasting: isLasting))
    }

    mutating func append(_ field: ResponseField) {
        append(field.name.bytes, field.value.utf8, isLasting: field.name != "traceparent")
    }

    mutating func append(_ other: HeaderBlock) {
        bytes.append(contentsOf: other.bytes)
        fields.append(contentsOf: other.fields)
    }

    /// Passes the fields in the form that nghttp2 requires.
    func withPairs<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { pairs in
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
                return unsafe body(UnsafeBufferPointer(pairs))
            }
        }
    }
}

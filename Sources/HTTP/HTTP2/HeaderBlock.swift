internal import CNGHTTP2
internal import HTTPMessages

/// The header fields of an answer, one behind the other.
struct HeaderBlock {
    private var bytes: [UInt8] = []
    private var counts: [(name: Int, value: Int)] = []

    mutating func append(_ name: StaticString, _ value: some Collection<UInt8>) {
        bytes.append(name)
        bytes.append(contentsOf: value)
        counts.append((name.utf8CodeUnitCount, value.count))
    }

    mutating func append(_ field: ResponseField) { append(field.name.bytes, field.value.utf8) }

    /// Lends them as nghttp2 wants them.
    func withPairs<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: counts.count) { pairs in
                var place = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
                for (index, count) in counts.enumerated() {
                    let value = unsafe place.map { unsafe $0 + count.name }
                    unsafe pairs.initializeElement(
                        at: index, to: nghttp2_nv(name: place, value: value, namelen: count.name, valuelen: count.value, flags: 0))
                    unsafe place = value.map { unsafe $0 + count.value }
                }
                return unsafe body(UnsafeBufferPointer(pairs))
            }
        }
    }
}

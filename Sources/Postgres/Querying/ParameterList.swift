/// The values of a query's parameters as they are sent, laid out as libpq takes them.
struct ParameterList: Sendable {
    private(set) var types: [UInt32] = []
    /// In bytes, and below zero for NULL.
    private(set) var lengths: [Int32] = []
    /// 1 for binary; what is left to the server is text.
    private(set) var formats: [Int32] = []
    /// The place of the first that holds U+0000.
    private(set) var firstWithZero: Int?
    private var bytes: [UInt8] = []

    var count: Int { types.count }

    /// Of all values together, in bytes.
    var size: Int { bytes.count }

    mutating func append<Value: PostgresEncodable>(_ value: Value) {
        if firstWithZero == nil, value.holdsZero { firstWithZero = count }
        types.append(Value.postgresType.rawValue)
        formats.append(Value.postgresType == .inferred ? 0 : 1)
        let start = bytes.count
        guard value.encode(into: &bytes) else { return lengths.append(-1) }
        lengths.append(Int32(clamping: bytes.count - start))
        // A text ends with a zero for libpq, which takes no length of it; and a value of no bytes has a place in memory as well.
        bytes.append(0)
    }

    /// Lends a pointer to each value, which is null for NULL.
    func withValues<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            unsafe bytes.withUnsafeBytes { bytes in
                var next = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                for (place, length) in lengths.enumerated() {
                    unsafe values.initializeElement(at: place, to: length < 0 ? nil : next)
                    if length >= 0 { unsafe next = next.map { unsafe $0 + Int(length) + 1 } }
                }
                return unsafe body(UnsafePointer(values.baseAddress))
            }
        }
    }
}

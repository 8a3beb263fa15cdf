package protocol PostgresEncodable: Sendable {
    /// The type sent to the server. With `inferred`, the value is sent as text and the server infers its type from the
    /// context.
    static var postgresType: PostgresType { get }

    /// Whether the value contains U+0000, which PostgreSQL cannot store and at which libpq would cut a text.
    var holdsZero: Bool { get }

    /// Appends the binary form. Returns false for NULL.
    func encode(into bytes: inout [UInt8]) -> Bool
}

extension PostgresEncodable {
    package var holdsZero: Bool { false }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package var holdsZero: Bool { self?.holdsZero ?? false }

    package func encode(into bytes: inout [UInt8]) -> Bool { self?.encode(into: &bytes) ?? false }
}

extension [UInt8] {
    /// Appends a number in big-endian order.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        var shift = number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends the output of `body`, preceded by its length, which is -1 if `body` returns false.
    mutating func append(withLength body: (inout [UInt8]) -> Bool) {
        let start = count
        append(bigEndian: Int32(-1))
        guard body(&self) else { return }
        let length = UInt32(truncatingIfNeeded: count - start - 4)
        for index in 0..<4 { self[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
    }
}

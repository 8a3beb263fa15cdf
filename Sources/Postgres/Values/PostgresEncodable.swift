package protocol PostgresEncodable: Sendable {
    /// What the server is told; `inferred` makes the parameter a text whose type its place decides.
    static var postgresType: PostgresType { get }

    /// Whether it holds U+0000, which PostgreSQL has no place for and libpq would cut a text at.
    var holdsZero: Bool { get }

    /// Appends the binary form, and answers false for NULL.
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
    /// Appends the most significant byte first.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        var shift = number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends what `body` appends, preceded by its length, which is -1 where `body` answers false.
    mutating func append(withLength body: (inout [UInt8]) -> Bool) {
        let start = count
        append(bigEndian: Int32(-1))
        guard body(&self) else { return }
        let length = UInt32(truncatingIfNeeded: count - start - 4)
        for place in 0..<4 { self[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
    }
}

/// Which names may be among the fields of a request: one mark for all names with the same length and first letter.
struct FieldNameFilter: Sendable {
    private var marks: UInt64 = 0

    mutating func note(_ name: Span<UInt8>) {
        if !name.isEmpty { marks |= Self.mark(name.count, name[0]) }
    }

    func mayContain(_ name: FieldName) -> Bool {
        name.bytes.withUTF8Buffer { bytes in unsafe marks & Self.mark(bytes.count, bytes[0]) } != 0
    }

    private static func mark(_ count: Int, _ first: UInt8) -> UInt64 {
        1 << UInt64(truncatingIfNeeded: (count &+ 5 &* Int(first.lowercased)) & 63)
    }
}

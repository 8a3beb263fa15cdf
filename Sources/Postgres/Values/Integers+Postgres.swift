extension PostgresEncodable where Self: FixedWidthInteger {
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: self)
        return true
    }
}

extension PostgresDecodable where Self: FixedWidthInteger {
    /// Reads the integers that are no wider than this one.
    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        let wide: Int64? =
            switch type {
            case .int2 where bytes.count == 2: bytes.bigEndian(as: Int16.self).map(Int64.init)
            case .int4 where bytes.count == 4 && Self.bitWidth >= 32: bytes.bigEndian(as: Int32.self).map(Int64.init)
            case .int8 where bytes.count == 8 && Self.bitWidth >= 64: bytes.bigEndian()
            default: nil
            }
        guard let wide, let number = Self(exactly: wide) else {
            throw Self.failure(Self.reads(type) ? .malformed : .wrongType, type)
        }
        self = number
    }

    private static func reads(_ type: PostgresType) -> Bool {
        type == .int2 || type == .int4 && bitWidth >= 32 || type == .int8 && bitWidth >= 64
    }

    package static var readableTypes: String { bitWidth >= 64 ? "int2, int4 or int8" : bitWidth >= 32 ? "int2 or int4" : "int2" }
}

extension Int16: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int2 }
}

extension Int32: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int4 }
}

extension Int64: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int8 }
}

extension Int: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int8 }
}

package import Values

extension Bool: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .bool }
    package static var readableTypes: String { "bool" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(self ? 1 : 0)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .bool, .wrongType, type)
        try Self.check(bytes.count == 1 && bytes[0] <= 1, .malformed, type)
        self = bytes[0] == 1
    }
}

extension Double: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .float8 }
    package static var readableTypes: String { "float8" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: bitPattern)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .float8, .wrongType, type)
        guard bytes.count == 8, let bits = bytes.bigEndian(as: UInt64.self) else { throw Self.failure(.malformed, type) }
        self.init(bitPattern: bits)
    }
}

/// Strings, sent as text whose type the server infers. A `String` can therefore also be an enum, a `numeric` or an
/// `interval`.
extension String: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .inferred }
    package static var readableTypes: String { "text" }

    package var holdsZero: Bool { utf8.contains(0) }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(contentsOf: utf8)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type.isText, .wrongType, type)
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            throw Self.failure(.malformed, type)
        }
    }
}

extension PostgresEncodable where Self: FixedWidthInteger {
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: self)
        return true
    }
}

extension PostgresDecodable where Self: FixedWidthInteger {
    /// Decodes the integer types that are no wider than this one.
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

extension UUID: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .uuid }
    package static var readableTypes: String { "uuid" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .uuid, .wrongType, type)
        guard bytes.count == 16, let high = bytes.bigEndian(as: UInt64.self), let low = bytes.bigEndian(at: 8, as: UInt64.self) else {
            throw Self.failure(.malformed, type)
        }
        self.init(high: high, low: low)
    }
}

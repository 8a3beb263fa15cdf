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

/// Sent as text whose type the server infers, so that a `String` also stands for an enum, a `numeric` or an `interval`.
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

/// One-dimensional arrays. The bytes of a `bytea` are `Bytes`.
extension Array: PostgresEncodable where Element: PostgresEncodable {
    package static var postgresType: PostgresType { elementType.array ?? .inferred }

    package var holdsZero: Bool { contains { $0.holdsZero } }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: Int32(isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(1))
        bytes.append(bigEndian: Self.elementType.rawValue)
        guard !isEmpty else { return true }
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: count))
        bytes.append(bigEndian: Int32(1))
        for element in self { bytes.append { element.encode(into: &$0) } }
        return true
    }

    private static var elementType: PostgresType { Element.postgresType == .inferred ? .text : Element.postgresType }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    package static var readableTypes: String { "an array of \(Element.readableTypes)" }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type.arrayElement != nil || type.rawValue >= 16_384, .wrongType, type)
        guard let dimensions = bytes.bigEndian(as: Int32.self), let element = bytes.bigEndian(at: 8, as: UInt32.self) else {
            throw Self.failure(.malformed, type)
        }
        self = []
        guard dimensions != 0 else {
            try Self.check(bytes.count == 12, .malformed, type)
            return
        }
        try Self.check(dimensions == 1, .outOfRange, type)
        guard let size = bytes.bigEndian(at: 12, as: Int32.self), size >= 0, bytes.count >= 20, Int(size) <= (bytes.count - 20) / 4 else {
            throw Self.failure(.malformed, type)
        }
        reserveCapacity(Int(size))
        var position = 20
        for _ in 0..<size { append(try Self.element(bytes, &position, PostgresType(rawValue: element))) }
        try Self.check(position == bytes.count, .malformed, type)
    }

    private static func element(_ bytes: Span<UInt8>, _ position: inout Int, _ type: PostgresType) throws(DecodingFailure) -> Element {
        guard let length = bytes.bigEndian(at: position, as: Int32.self) else { throw failure(.malformed, type) }
        position += 4
        guard length >= 0 else {
            guard let null = Element.valueOfNull else { throw failure(.null, type) }
            return null
        }
        try check(Int(length) <= bytes.count - position, .malformed, type)
        defer { position += Int(length) }
        return try Element(bytes: bytes.extracting(position..<position + Int(length)), of: type)
    }
}

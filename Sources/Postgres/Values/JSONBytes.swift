/// The text of a `jsonb`, neither parsed nor validated here.
package struct JSONBytes: Sendable, Hashable, PostgresEncodable, PostgresDecodable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static var postgresType: PostgresType { .jsonb }
    package static var readableTypes: String { "jsonb or json" }

    package var holdsZero: Bool { bytes.contains(0) }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(Self.version)
        bytes.append(contentsOf: self.bytes)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        switch type {
        case .json: self.bytes = bytes.copied()
        case .jsonb:
            try Self.check(!bytes.isEmpty && bytes[0] == Self.version, .malformed, type)
            self.bytes = bytes.extracting(1...).copied()
        default: throw Self.failure(.wrongType, type)
        }
    }

    /// The version byte before the text in the binary form of `jsonb`.
    private static var version: UInt8 { 1 }
}

/// The opaque bytes of a `bytea`.
package struct Bytes: Sendable, Hashable, PostgresEncodable, PostgresDecodable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static var postgresType: PostgresType { .bytea }
    package static var readableTypes: String { "bytea" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(contentsOf: self.bytes)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .bytea, .wrongType, type)
        self.bytes = bytes.copied()
    }
}

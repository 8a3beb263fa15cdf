/// A `bytea`: bytes that mean nothing to the database.
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

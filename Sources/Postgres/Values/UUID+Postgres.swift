package import Values

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

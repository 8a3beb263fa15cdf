/// A value as it is sent.
package struct PostgresParameter: Sendable {
    let type: PostgresType
    /// Nil for NULL.
    let bytes: [UInt8]?
    let holdsZero: Bool

    package init(_ value: some PostgresEncodable) {
        type = Swift.type(of: value).postgresType
        holdsZero = value.holdsZero
        var bytes: [UInt8] = []
        // A text ends with a zero for libpq, which takes no length of it.
        if value.encode(into: &bytes) {
            if type == .inferred { bytes.append(0) }
            self.bytes = bytes
        } else {
            self.bytes = nil
        }
    }

    var isBinary: Bool { type != .inferred }
}

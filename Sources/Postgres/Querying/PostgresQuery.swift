/// A statement with its parameter values, and a name for errors and the prepared plan.
package final class PostgresQuery: Sendable {
    package let name: String
    package let sql: String
    /// Whether the connection keeps its plan. False for statements that run once.
    package let isPrepared: Bool
    let parameters: ParameterList

    /// Creates a query whose `sql` refers to the values as `$1`, `$2` and so on.
    package init<each Value: PostgresEncodable>(_ name: String, _ sql: String, _ values: repeat each Value, isPrepared: Bool = true) {
        var parameters = ParameterList()
        repeat parameters.append(each values)
        self.name = name
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
    }

    /// The server's limit of a message, 1 GiB, with room for the rest of the message.
    static let largestMessage = 0x3FFF_0000

    func validate(largest: Int = largestMessage) throws(PostgresError) {
        guard parameters.count <= 65_535 else {
            throw PostgresError(.invalidParameter, "\(parameters.count) parameters exceed the limit of a statement", query: name)
        }
        guard parameters.size <= largest else {
            throw PostgresError(.invalidParameter, "\(parameters.size) bytes of parameters exceed the limit of a message", query: name)
        }
        guard !sql.utf8.contains(0) else {
            throw PostgresError(.misuse, "the statement contains U+0000", query: name)
        }
        guard let index = parameters.firstWithZero else { return }
        throw PostgresError(.invalidParameter, "parameter $\(index + 1) contains U+0000", query: name)
    }
}

extension PostgresQuery {
    /// Creates a query of `sql/queries` with the values of its parameters.
    package convenience init<each Value: PostgresEncodable>(_ query: NamedQuery, _ values: repeat each Value, isPrepared: Bool = true) {
        self.init(query.name.description, query.text, repeat each values, isPrepared: isPrepared)
    }
}

/// The parameter values of a query in the format of libpq.
struct ParameterList: Sendable {
    private(set) var types: [UInt32] = []
    /// The lengths in bytes, negative for NULL.
    private(set) var lengths: [Int32] = []
    /// 1 for binary. A type that the server infers is sent as text.
    private(set) var formats: [Int32] = []
    /// The index of the first value that contains U+0000.
    private(set) var firstWithZero: Int?
    private var bytes: [UInt8] = []

    var count: Int { types.count }

    /// The size of all values in bytes.
    var size: Int { bytes.count }

    mutating func append<Value: PostgresEncodable>(_ value: Value) {
        if firstWithZero == nil, value.holdsZero { firstWithZero = count }
        types.append(Value.postgresType.rawValue)
        formats.append(Value.postgresType == .inferred ? 0 : 1)
        let start = bytes.count
        guard value.encode(into: &bytes) else { return lengths.append(-1) }
        lengths.append(Int32(clamping: bytes.count - start))
        // libpq ignores the length of a text and needs a terminating zero. It also gives an empty value an address.
        bytes.append(0)
    }

    /// Calls `body` with a pointer to each value, which is null for NULL.
    func withValues<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            unsafe bytes.withUnsafeBytes { bytes in
                var next = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                for (index, length) in lengths.enumerated() {
                    unsafe values.initializeElement(at: index, to: length < 0 ? nil : next)
                    if length >= 0 { unsafe next = next.map { unsafe $0 + Int(length) + 1 } }
                }
                return unsafe body(UnsafePointer(values.baseAddress))
            }
        }
    }
}

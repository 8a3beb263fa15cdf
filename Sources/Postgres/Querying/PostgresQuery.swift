/// A statement with a name, for errors and the server's plan, and the values of its parameters.
package final class PostgresQuery: Sendable {
    package let name: String
    package let sql: String
    /// Whether the connection keeps its plan; for statements that are run once it does not.
    package let isPrepared: Bool
    let parameters: ParameterList

    /// `sql` names the parameters `$1`, `$2` and so on.
    package init<each Value: PostgresEncodable>(_ name: String, _ sql: String, _ values: repeat each Value, isPrepared: Bool = true) {
        var parameters = ParameterList()
        repeat parameters.append(each values)
        self.name = name
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
    }

    /// What the server takes in one message, with room for the rest of it: 1 GiB.
    static let largestMessage = 0x3FFF_0000

    func validate(largest: Int = largestMessage) throws(PostgresError) {
        guard parameters.count <= 65_535 else {
            throw PostgresError(.invalidParameter, "\(parameters.count) parameters are more than a statement takes", query: name)
        }
        guard parameters.size <= largest else {
            throw PostgresError(.invalidParameter, "\(parameters.size) bytes of parameters are more than a message takes", query: name)
        }
        guard !sql.utf8.contains(0) else {
            throw PostgresError(.misuse, "the statement holds U+0000, where libpq would end it", query: name)
        }
        guard let place = parameters.firstWithZero else { return }
        throw PostgresError(.invalidParameter, "parameter $\(place + 1) holds U+0000", query: name)
    }
}

extension PostgresQuery {
    /// A query of `sql/queries` with the values of its parameters.
    package convenience init<each Value: PostgresEncodable>(_ query: NamedQuery, _ values: repeat each Value, isPrepared: Bool = true) {
        self.init(query.name.description, query.text, repeat each values, isPrepared: isPrepared)
    }
}

/// The values of a query's parameters as they are sent, laid out as libpq takes them.
struct ParameterList: Sendable {
    private(set) var types: [UInt32] = []
    /// In bytes, and below zero for NULL.
    private(set) var lengths: [Int32] = []
    /// 1 for binary; what is left to the server is text.
    private(set) var formats: [Int32] = []
    /// The place of the first that holds U+0000.
    private(set) var firstWithZero: Int?
    private var bytes: [UInt8] = []

    var count: Int { types.count }

    /// Of all values together, in bytes.
    var size: Int { bytes.count }

    mutating func append<Value: PostgresEncodable>(_ value: Value) {
        if firstWithZero == nil, value.holdsZero { firstWithZero = count }
        types.append(Value.postgresType.rawValue)
        formats.append(Value.postgresType == .inferred ? 0 : 1)
        let start = bytes.count
        guard value.encode(into: &bytes) else { return lengths.append(-1) }
        lengths.append(Int32(clamping: bytes.count - start))
        // A text ends with a zero for libpq, which takes no length of it; and a value of no bytes has a place in memory as well.
        bytes.append(0)
    }

    /// Lends a pointer to each value, which is null for NULL.
    func withValues<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            unsafe bytes.withUnsafeBytes { bytes in
                var next = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                for (place, length) in lengths.enumerated() {
                    unsafe values.initializeElement(at: place, to: length < 0 ? nil : next)
                    if length >= 0 { unsafe next = next.map { unsafe $0 + Int(length) + 1 } }
                }
                return unsafe body(UnsafePointer(values.baseAddress))
            }
        }
    }
}

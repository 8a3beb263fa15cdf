package struct HTTPFields: Sendable {
    struct FieldRanges: Sendable {
        private let nameStart: UInt32
        private let nameCount: UInt32
        private let valueStart: UInt32
        private let valueCount: UInt32

        /// Creates a place from two ranges, both moved by the offset.
        init(name: Range<Int>, value: Range<Int>, offset: Int) {
            nameStart = UInt32(truncatingIfNeeded: name.lowerBound + offset)
            nameCount = UInt32(truncatingIfNeeded: name.count)
            valueStart = UInt32(truncatingIfNeeded: value.lowerBound + offset)
            valueCount = UInt32(truncatingIfNeeded: value.count)
        }

        var name: Range<Int> { Int(nameStart)..<Int(nameStart + nameCount) }
        var value: Range<Int> { Int(valueStart)..<Int(valueStart + valueCount) }
    }

    private var bytes: [UInt8] = []
    private var ranges: [FieldRanges] = []
    /// A filter that quickly rejects most lookups of absent names.
    private var filter = FieldNameFilter()
    /// The record of the names that are looked up; nil if nothing reads it.
    private var record: FieldRecord?

    package init() {}

    init(_ bytes: Span<UInt8>, _ ranges: [FieldRanges], _ filter: FieldNameFilter) {
        bytes.append(to: &self.bytes)
        self.ranges = ranges
        self.filter = filter
    }

    package var count: Int {
        record?.noteAll()
        return ranges.count
    }

    /// Appends a field whose name and value the caller has validated.
    package mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        if ranges.isEmpty {
            bytes.reserveCapacity(512)
            ranges.reserveCapacity(12)
        }
        let start = bytes.count
        name.append(to: &bytes)
        value.append(to: &bytes)
        ranges.append(FieldRanges(name: 0..<name.count, value: name.count..<(name.count + value.count), offset: start))
        filter.note(name)
    }

    /// The value of the only field with this name. Invalid UTF-8 is replaced.
    ///
    /// Nil if there are several, because for a single-valued field the right one is unknown. `list` reads list-valued
    /// fields.
    package subscript(name: FieldName) -> String? {
        var value: String?
        var count = 0
        forEach(name) { bytes in
            count += 1
            if count == 1 { value = bytes.text }
        }
        return count == 1 ? value : nil
    }

    /// Returns the values of all fields with this name, joined as one list.
    package func list(_ name: FieldName) -> String? {
        var values: [String] = []
        forEach(name) { values.append($0.text) }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the bytes of the values of all fields with this name, joined as one list.
    func listBytes(_ name: FieldName) -> [UInt8]? {
        var list: [UInt8] = []
        var count = 0
        forEach(name) { value in
            if count > 0 { list.append(contentsOf: [UInt8(ascii: ","), UInt8(ascii: " ")]) }
            value.append(to: &list)
            count += 1
        }
        return count > 0 ? list : nil
    }

    package func contains(_ name: FieldName) -> Bool {
        mayContain(name) && ranges.contains { name.matches(bytes.span.extracting($0.name)) }
    }

    /// Calls `body` with the bytes of the first field with this name, without creating a `String`.
    package func withFirst<Result>(_ name: FieldName, _ body: (Span<UInt8>) -> Result) -> Result? {
        guard mayContain(name) else { return nil }
        for range in ranges where name.matches(bytes.span.extracting(range.name)) {
            return body(bytes.span.extracting(range.value))
        }
        return nil
    }

    /// Calls `body` with the bytes of each field with this name, in order.
    package func forEach(_ name: FieldName, _ body: (Span<UInt8>) -> Void) {
        guard mayContain(name) else { return }
        for range in ranges where name.matches(bytes.span.extracting(range.name)) { body(bytes.span.extracting(range.value)) }
    }

    package func forEach<Failure>(_ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        record?.noteAll()
        for range in ranges { try body(bytes.span.extracting(range.name), bytes.span.extracting(range.value)) }
    }

    private func mayContain(_ name: FieldName) -> Bool {
        record?.note(name)
        return filter.mayContain(name)
    }

    // MARK: Recording

    /// The names that were looked up in these fields and in their copies; nil if they are not recorded.
    var recordedNames: FieldNameFilter? { record?.names }

    /// Returns the fields with a new record of the names that are looked up.
    func recording() -> HTTPFields {
        var fields = self
        fields.record = FieldRecord()
        return fields
    }

    /// Whether a field has one of the names, which are those of the filter. The lookup is not recorded.
    func containsUnrecorded(_ names: [FieldName], _ filter: FieldNameFilter) -> Bool {
        guard self.filter.mayIntersect(filter) else { return false }
        let fields = unrecorded
        return names.contains { fields.contains($0) }
    }

    /// Records that a response depends on the client: the connected one, or the one that a proxy names.
    package func noteClient() { record?.noteClient() }

    /// Whether the use of the client was recorded.
    var isOfClient: Bool { record?.isOfClient ?? false }

    /// The fields without the record, for a reader whose result is in no response, or is replaced in each repeated one.
    package var unrecorded: HTTPFields {
        var fields = self
        fields.record = nil
        return fields
    }
}

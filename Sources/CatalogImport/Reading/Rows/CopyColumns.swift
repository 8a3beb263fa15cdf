internal import JSON
internal import Values

/// Columns in the binary format of COPY, which the database reads in two thirds of the time that text takes.
///
/// Each value must have the type of its column. The database rejects a value with another width.
struct CopyColumns: Sendable {
    private(set) var bytes: [UInt8]

    /// Creates columns that follow these bytes.
    init(after bytes: [UInt8] = [], capacity: Int = 0) {
        self.bytes = bytes
        self.bytes.reserveCapacity(capacity)
    }

    /// Appends the number of columns, which starts a row. Instead, the number -1 ends a file.
    mutating func count(_ columns: Int) { bytes.append(bigEndian: Int16(clamping: columns)) }

    /// Appends encoded columns.
    mutating func append(_ encoded: Span<UInt8>) { bytes.append(copying: encoded) }

    /// Appends an encoded UUID.
    mutating func id(_ id: EncodedID) { bytes.append(copying: id.bytes.span) }

    /// Appends a text, or the label of an enumeration.
    mutating func text(_ text: String?) {
        guard let text else { return null() }
        bytes.append(sized: text)
    }

    /// Appends a `smallint`. Larger numbers violate the check of each such column.
    mutating func small(_ number: Int) {
        startColumn(of: 2)
        bytes.append(bigEndian: Int16(clamping: number))
    }

    /// Appends an `integer`.
    mutating func integer(_ number: Int?) {
        guard let number else { return null() }
        startColumn(of: 4)
        bytes.append(bigEndian: Int32(clamping: number))
    }

    /// Appends a `bigint`.
    mutating func big(_ number: Int?) {
        guard let number else { return null() }
        startColumn(of: 8)
        bytes.append(bigEndian: UInt64(bitPattern: Int64(number)))
    }

    mutating func bool(_ bool: Bool) {
        startColumn(of: 1)
        bytes.append(bool ? 1 : 0)
    }

    /// Appends a `bytea`.
    mutating func digest(_ digest: [UInt8]) {
        startColumn(of: digest.count)
        bytes.append(copying: digest.span)
    }

    /// Appends a `numeric` with two decimal places, in two digits to the base of 10,000.
    mutating func hundredths(_ number: Int?) {
        guard let number else { return null() }
        startColumn(of: 12)
        // The number of digits, the weight of the first one, and the sign.
        bytes.append(bigEndian: UInt64(2) << 48 | 2)
        bytes.append(bigEndian: Int16(clamping: number / 100))
        bytes.append(bigEndian: Int16(clamping: number % 100 * 100))
    }

    /// Appends a `date`. The database rejects a text that is not a day.
    mutating func day(_ text: String?) {
        guard let text else { return null() }
        startColumn(of: 4)
        let day = CalendarDay(text).map { $0.daysSince1970 - Self.daysBefore2000 }
        bytes.append(bigEndian: day.map { Int32(clamping: $0) } ?? Int32.max - 1)
    }

    /// Appends a `text[]`.
    mutating func texts(_ texts: [String]) {
        let start = startSized()
        startArray(of: 25, count: texts.count)
        for text in texts { bytes.append(sized: text) }
        endSized(start)
    }

    /// Appends an `integer[]` of pairs.
    mutating func pairs(_ pairs: [(Int, Int)]?) {
        guard let pairs else { return null() }
        let start = startSized()
        startArray(of: 23, count: pairs.count, each: 2)
        for pair in pairs {
            integer(pair.0)
            integer(pair.1)
        }
        endSized(start)
    }

    /// Appends an `int4multirange`.
    mutating func ranges(_ ranges: [Range<Int>]) {
        let start = startSized()
        bytes.append(bigEndian: Int32(clamping: ranges.count))
        for range in ranges {
            startColumn(of: 17)
            bytes.append(Self.includesLowerBound)
            integer(range.lowerBound)
            integer(range.upperBound)
        }
        endSized(start)
    }

    /// Appends a `tstzrange`, whose bounds are microseconds since 2000. A bound is nil if that side is open.
    mutating func span(from: Timestamp?, until: Timestamp?) {
        startColumn(of: 1 + (from == nil ? 0 : 12) + (until == nil ? 0 : 12))
        bytes.append((from == nil ? 0x08 : Self.includesLowerBound) | (until == nil ? 0x10 : 0))
        if let from { big(Int(from.microseconds) - Self.microsecondsBefore2000) }
        if let until { big(Int(until.microseconds) - Self.microsecondsBefore2000) }
    }

    /// Appends a `tstzmultirange`. A bound is nil if that side is open.
    mutating func spans<Spans: Collection>(_ spans: Spans, _ bounds: (Spans.Element) -> (from: Timestamp?, until: Timestamp?)) {
        let start = startSized()
        bytes.append(bigEndian: Int32(clamping: spans.count))
        for element in spans {
            let (from, until) = bounds(element)
            span(from: from, until: until)
        }
        endSized(start)
    }

    private static let includesLowerBound: UInt8 = 0x02
    private static let daysBefore2000 = 10_957
    private static let microsecondsBefore2000 = 946_684_800_000_000

    /// Starts an array, which has no dimensions if it is empty.
    private mutating func startArray(of type: Int32, count: Int, each size: Int? = nil) {
        bytes.append(bigEndian: count == 0 ? 0 : size == nil ? 1 : 2 as Int32)
        bytes.append(bigEndian: 0 as Int32)
        bytes.append(bigEndian: type)
        guard count > 0 else { return }
        startDimension(count)
        if let size { startDimension(size) }
    }

    /// Appends the number of elements and the index of the first one.
    private mutating func startDimension(_ count: Int) {
        bytes.append(bigEndian: Int32(clamping: count))
        bytes.append(bigEndian: 1 as Int32)
    }

    private mutating func startColumn(of length: Int) { bytes.append(bigEndian: Int32(clamping: length)) }

    private mutating func null() { startColumn(of: -1) }

    /// Starts a part after a mark. The length of the part is known at its end. Returns its start.
    mutating func startPart(_ mark: UInt8) -> Int {
        bytes.append(mark)
        return startSized()
    }

    private mutating func startSized() -> Int {
        startColumn(of: 0)
        return bytes.count
    }

    /// Sets the length before a part.
    mutating func endSized(_ start: Int) {
        let length = UInt32(clamping: bytes.count - start)
        for place in 1...4 { bytes[start - place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place - 1))) }
    }
}

extension CopyColumns {
    /// A UUID with its length, as a column of many rows.
    struct EncodedID {
        fileprivate var bytes = InlineArray<20, UInt8>(repeating: 0)

        init(_ id: UUID) {
            bytes[3] = 16
            for index in 0..<8 {
                let shift = UInt64(56 - 8 * index)
                bytes[4 + index] = UInt8(truncatingIfNeeded: id.high >> shift)
                bytes[12 + index] = UInt8(truncatingIfNeeded: id.low >> shift)
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: Int16) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    fileprivate mutating func append(bigEndian number: Int32) {
        append(UInt8(truncatingIfNeeded: number >> 24))
        append(UInt8(truncatingIfNeeded: number >> 16))
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    /// Appends the length of a text and its bytes.
    fileprivate mutating func append(sized text: String) {
        let bytes = text.utf8.span
        append(bigEndian: Int32(clamping: bytes.count))
        append(copying: bytes)
    }
}

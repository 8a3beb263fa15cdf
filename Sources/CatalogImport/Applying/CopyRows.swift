internal import JSON
internal import Values

/// Rows in the binary format of COPY, which the database reads in two thirds of the time that text takes.
///
/// Each value has the type of its column. The database rejects a row with another width or number of columns.
struct CopyRows {
    private(set) var count = 0
    private var rows: [UInt8] = []
    private var start = 0
    private var columns = 0

    /// The rows between the start and the end of a file of this format.
    var bytes: [UInt8] { Self.header + rows + [0xFF, 0xFF] }

    /// The signature, the flags, and the length of no extension.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + Array(repeating: 0, count: 8)

    mutating func endRow() {
        rows[start] = UInt8(columns >> 8)
        rows[start + 1] = UInt8(columns & 0xFF)
        count += 1
        (start, columns) = (rows.count, 0)
    }

    /// Appends an encoded UUID.
    mutating func id(_ id: EncodedID) {
        startColumn()
        rows.append(copying: id.bytes.span)
    }

    /// Appends a text, or the label of an enumeration.
    mutating func text(_ text: String?) {
        guard let text else { return null() }
        startColumn()
        rows.append(sized: text)
    }

    /// Appends a `smallint`. Larger numbers violate the check of each such column.
    mutating func small(_ number: Int) {
        startColumn(of: 2)
        rows.append(UInt8(truncatingIfNeeded: Int16(clamping: number) >> 8))
        rows.append(UInt8(truncatingIfNeeded: Int16(clamping: number)))
    }

    /// Appends an `integer`.
    mutating func integer(_ number: Int?) {
        guard let number else { return null() }
        startColumn(of: 4)
        rows.append(bigEndian: Int32(clamping: number))
    }

    /// Appends a `bigint`.
    mutating func big(_ number: Int?) {
        guard let number else { return null() }
        startColumn(of: 8)
        rows.append(bigEndian: UInt64(bitPattern: Int64(number)))
    }

    mutating func bool(_ bool: Bool) {
        startColumn(of: 1)
        rows.append(bool ? 1 : 0)
    }

    /// Appends a `bytea`.
    mutating func digest(_ digest: [UInt8]) {
        startColumn(of: digest.count)
        rows.append(copying: digest.span)
    }

    /// Appends a `numeric` with two decimal places, in digits to the base of 10,000.
    mutating func hundredths(_ number: Int?) {
        guard let number else { return null() }
        let digits = [number / 100, number % 100 * 100]
        startColumn(of: 12)
        for word in [digits.count, 0, 0, 2] + digits {
            rows.append(UInt8(truncatingIfNeeded: word >> 8))
            rows.append(UInt8(truncatingIfNeeded: word))
        }
    }

    /// Appends a `date`. The database rejects a text that is not a day.
    mutating func day(_ text: String?) {
        guard let text else { return null() }
        startColumn(of: 4)
        let day = CalendarDay(text).map { $0.daysSince1970 - Self.daysBefore2000 }
        rows.append(bigEndian: day.map { Int32(clamping: $0) } ?? Int32.max - 1)
    }

    /// Appends a `text[]`.
    mutating func texts(_ texts: [String]) {
        list(of: 25, dimensions: [texts.count]) { rows in
            for text in texts { rows.append(sized: text) }
        }
    }

    /// Appends an `integer[]` of pairs.
    mutating func pairs(_ pairs: [(Int, Int)]?) {
        guard let pairs else { return null() }
        list(of: 23, dimensions: [pairs.count, 2]) { rows in
            for pair in pairs {
                for number in [pair.0, pair.1] {
                    rows.append(bigEndian: 4 as Int32)
                    rows.append(bigEndian: Int32(clamping: number))
                }
            }
        }
    }

    /// Appends an `int4multirange`.
    mutating func ranges(_ ranges: [Range<Int>]) {
        sized { rows in
            rows.append(bigEndian: Int32(clamping: ranges.count))
            for range in ranges {
                rows.append(bigEndian: 17 as Int32)
                rows.append(Self.includesLowerBound)
                for bound in [range.lowerBound, range.upperBound] {
                    rows.append(bigEndian: 4 as Int32)
                    rows.append(bigEndian: Int32(clamping: bound))
                }
            }
        }
    }

    /// Appends a `tstzrange`. A bound is nil if that side is open.
    mutating func span(from: Timestamp?, until: Timestamp?) {
        startColumn()
        rows.append(span: from, until)
    }

    /// Appends a `tstzmultirange`.
    mutating func spans(_ spans: [(from: Timestamp?, until: Timestamp?)]) {
        sized { rows in
            rows.append(bigEndian: Int32(clamping: spans.count))
            for span in spans { rows.append(span: span.from, span.until) }
        }
    }

    fileprivate static let includesLowerBound: UInt8 = 0x02
    private static let daysBefore2000 = 10_957

    /// Appends an array, which has no dimensions if it is empty.
    private mutating func list(of type: Int32, dimensions: [Int], _ body: (inout [UInt8]) -> Void) {
        let dimensions = dimensions.contains(0) ? [] : dimensions
        sized { rows in
            rows.append(bigEndian: Int32(clamping: dimensions.count))
            rows.append(bigEndian: 0 as Int32)
            rows.append(bigEndian: type)
            for count in dimensions {
                rows.append(bigEndian: Int32(clamping: count))
                rows.append(bigEndian: 1 as Int32)
            }
            if !dimensions.isEmpty { body(&rows) }
        }
    }

    private mutating func startColumn() {
        if columns == 0 { rows.append(contentsOf: [0, 0]) }
        columns += 1
    }

    private mutating func startColumn(of length: Int) {
        startColumn()
        rows.append(bigEndian: Int32(clamping: length))
    }

    private mutating func null() { startColumn(of: -1) }

    /// Appends a column whose length is known after its value.
    private mutating func sized(_ body: (inout [UInt8]) -> Void) {
        startColumn(of: 0)
        let start = rows.count
        body(&rows)
        let length = UInt32(rows.count - start)
        for place in 1...4 { rows[start - place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place - 1))) }
    }
}

extension CopyRows {
    /// A UUID with its length, as a column of many rows.
    struct EncodedID {
        fileprivate let bytes: [UInt8]

        init(_ id: UUID) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(20)
            bytes.append(bigEndian: 16 as Int32)
            bytes.append(bigEndian: id.high)
            bytes.append(bigEndian: id.low)
            self.bytes = bytes
        }
    }
}

extension [UInt8] {
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

    /// Appends the length of a `tstzrange` and its bounds, which are microseconds since 2000.
    fileprivate mutating func append(span from: Timestamp?, _ until: Timestamp?) {
        append(bigEndian: 1 + (from == nil ? 0 : 12) + (until == nil ? 0 : 12) as Int32)
        append((from == nil ? 0x08 : CopyRows.includesLowerBound) | (until == nil ? 0x10 : 0))
        for bound in [from, until] {
            guard let bound else { continue }
            append(bigEndian: 8 as Int32)
            append(bigEndian: UInt64(bitPattern: bound.microseconds - 946_684_800_000_000))
        }
    }
}

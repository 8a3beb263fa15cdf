internal import JSON

/// Reads the records of a CSV file.
struct CSVReader {
    private var rows: CSVSplitter
    private let limit: Int
    private var header: CSVHeader?
    /// Whether the header row is invalid, so that no other row can be read.
    private(set) var isRefused = false
    /// The first bytes, which can be a byte order mark that a spreadsheet has added.
    private var prefix: [UInt8]? = []

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(limits: FileLimits) {
        limit = limits.record
        rows = CSVSplitter(limit: limits.record)
    }

    mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (RawRecord) -> Void) {
        guard !isRefused else { return }
        var bytes = bytes
        if let start = prefix {
            bytes = (start + bytes)[...]
            if bytes.count < 3, Self.byteOrderMark.starts(with: bytes) {
                prefix = Array(bytes)
                return
            }
            prefix = nil
            if bytes.starts(with: Self.byteOrderMark) { bytes = bytes.dropFirst(3) }
        }
        var rows: [CSVRow] = []
        self.rows.consume(bytes) { rows.append($0) }
        for row in rows { read(row, body) }
    }

    mutating func end(_ body: (RawRecord) -> Void) {
        var rows: [CSVRow] = []
        if let rest = prefix.take() { self.rows.consume(rest[...]) { rows.append($0) } }
        self.rows.end { rows.append($0) }
        for row in rows { read(row, body) }
    }

    /// Returns the name of a record's location in the file.
    func location(_ pointer: JSONPointer) -> Reject.Location {
        header.map { .column($0.name(of: pointer)) } ?? .pointer(pointer.description)
    }

    private mutating func read(_ row: CSVRow, _ body: (RawRecord) -> Void) {
        guard !isRefused else { return }
        if let fault = row.fault {
            isRefused = header == nil
            return body(RawRecord(Reject(line: row.line, code: .invalidRecord, reason: reason(fault))))
        }
        guard let header else { return readHeader(row, body) }
        guard row.fields.count == header.count else {
            let reason = "expected \(header.count) fields, found \(row.fields.count)"
            return body(RawRecord(Reject(line: row.line, code: .invalidRecord, reason: reason)))
        }
        do throws(Reject) {
            body(RawRecord(line: row.line, try header.json(of: row)))
        } catch {
            body(RawRecord(error))
        }
    }

    private mutating func readHeader(_ row: CSVRow, _ body: (RawRecord) -> Void) {
        do throws(CSVHeader.InvalidHeader) {
            header = try CSVHeader(row.fields)
        } catch {
            isRefused = true
            body(RawRecord(Reject(line: row.line, location: .column(error.column), code: .invalidRecord, reason: error.reason)))
        }
    }

    private func reason(_ fault: CSVRow.Fault) -> String {
        switch fault {
        case .tooLong: "the row has more than \(limit) bytes; check for a missing quotation mark"
        case .strayQuote: "an unquoted field contains a quotation mark"
        case .textAfterQuote: "text follows the closing quotation mark of a field"
        case .unendedQuote: "a quoted field has no closing quotation mark"
        }
    }
}

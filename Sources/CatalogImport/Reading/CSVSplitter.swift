/// Cuts what arrives in pieces into rows and fields as RFC 4180 has them, with LF or CRLF behind a row.
///
/// A row that is faulty ends with its line, so that the next one is read again from its beginning.
struct CSVSplitter {
    private enum State {
        case start, plain, quoted
        /// Behind a quotation mark within quotes: the end, or the first half of one that is meant.
        case quote
        /// Behind a CR that is not in quotes.
        case carriageReturn
        case faulty
    }

    private let limit: Int
    private var state = State.start
    private var fields: [[UInt8]] = []
    private var field: [UInt8] = []
    private var size = 0
    private var fault: CSVRow.Fault?
    private var line = 1
    private var firstLine = 1

    init(limit: Int) { self.limit = limit }

    mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (CSVRow) -> Void) {
        for byte in bytes { consume(byte, body) }
    }

    /// Ends the row that no line break ended.
    mutating func end(_ body: (CSVRow) -> Void) {
        if state == .quoted { fail(.unendedQuote) }
        if state != .start || !fields.isEmpty { finishRow(body) }
    }

    private mutating func consume(_ byte: UInt8, _ body: (CSVRow) -> Void) {
        if byte == 0x0A { line += 1 }
        size += 1
        if size > limit, state != .faulty { fail(.tooLong) }
        switch (state, byte) {
        case (.faulty, 0x0A): finishRow(body)
        case (.faulty, _): break
        case (.quoted, UInt8(ascii: "\"")): state = .quote
        case (.quoted, _): field.append(byte)
        case (.quote, UInt8(ascii: "\"")):
            field.append(byte)
            state = .quoted
        case (.start, UInt8(ascii: "\"")): state = .quoted
        case (_, UInt8(ascii: ",")):
            flushCarriageReturn()
            finishField()
        case (_, 0x0A): finishRow(body)
        case (.start, 0x0D), (.plain, 0x0D), (.quote, 0x0D):
            if state == .quote { state = .carriageReturn } else { consumePlain(byte) }
        case (.quote, _), (.carriageReturn, _): fail(.textAfterQuote)
        case (.plain, UInt8(ascii: "\"")): fail(.strayQuote)
        default: consumePlain(byte)
        }
    }

    private mutating func consumePlain(_ byte: UInt8) {
        field.append(byte)
        state = .plain
    }

    private mutating func flushCarriageReturn() {
        if state == .carriageReturn { fail(.textAfterQuote) }
    }

    private mutating func fail(_ fault: CSVRow.Fault) {
        self.fault = fault
        state = .faulty
        fields = []
        field = []
    }

    private mutating func finishField() {
        guard state != .faulty else { return }
        fields.append(field)
        field = []
        state = .start
    }

    private mutating func finishRow(_ body: (CSVRow) -> Void) {
        if state == .plain, field.last == 0x0D { field.removeLast() }
        let isBlank = fields.isEmpty && field.isEmpty && state != .quote && state != .carriageReturn && fault == nil
        if fault == nil { finishField() }
        if !isBlank { body(CSVRow(line: firstLine, fields: fields, fault: fault)) }
        fields = []
        field = []
        fault = nil
        size = 0
        state = .start
        firstLine = line
    }
}

/// One row of a CSV file.
struct CSVRow {
    enum Fault {
        case tooLong
        /// A quotation mark within a field that does not begin with one.
        case strayQuote
        /// Something behind the quotation mark that ends a field.
        case textAfterQuote
        case unendedQuote
    }

    /// Where it begins, from 1.
    let line: Int
    let fields: [[UInt8]]
    let fault: Fault?
}

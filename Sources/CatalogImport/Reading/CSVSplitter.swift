/// Splits a stream of bytes into the rows and fields that RFC 4180 defines, with LF or CRLF after a row.
///
/// An invalid row ends with its line, so that the next row is read from its beginning.
struct CSVSplitter {
    private enum State {
        case start, plain, quoted
        /// The state after a quotation mark within quotes, which ends the field or escapes a second quotation mark.
        case quote
        /// The state after a CR outside quotes.
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

    /// Ends the last row, if it has no line break.
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
        /// A quotation mark within a field that does not start with one.
        case strayQuote
        /// Text after the quotation mark that ends a field.
        case textAfterQuote
        case unendedQuote
    }

    /// The line on which the row starts, from 1.
    let line: Int
    let fields: [[UInt8]]
    let fault: Fault?
}

/// One row of a CSV file.
struct CSVRow {
    enum Fault {
        case tooLong
        /// A quotation mark within a field that does not begin with one.
        case strayQuote
        /// Something behind the quotation mark that ends a field.
        case textBehindQuote
        case unendedQuote
    }

    /// Where it begins, from 1.
    let line: Int
    let fields: [[UInt8]]
    let fault: Fault?
}

internal import Postgres

/// Gives serial numbers in the order of a file: to each item without one the number behind all that were there before it. So they do not
/// depend on where a file is cut into chunks, and an import that was interrupted gives the same ones as one that was not.
struct SerialNumbers {
    private(set) var highest: Int64
    private var given: Set<Int64> = []

    /// Behind the highest one of the catalog.
    init(behind highest: Int64) { self.highest = highest }

    /// Nil where the record has a number that was given to an earlier one.
    mutating func number(for record: ItemRecord) throws(PostgresError) -> Int64? {
        if let number = record.serialNumber {
            guard !given.contains(number) else { return nil }
            highest = max(highest, number)
            return number
        }
        let (next, overflow) = highest.addingReportingOverflow(1)
        guard !overflow else { throw PostgresError(.misuse, "there is no serial number left") }
        given.insert(next)
        highest = next
        return next
    }
}

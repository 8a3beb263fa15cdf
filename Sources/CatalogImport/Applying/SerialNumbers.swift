/// Gives serial numbers in the order of a file: to each item without one the number behind all that were there before it. So they do not
/// depend on where a file is cut into chunks, and an import that was interrupted gives the same ones as one that was not.
struct SerialNumbers {
    /// The largest that every reader of JSON has for certain, and the database takes.
    private static let largest: Int64 = 9_007_199_254_740_991

    private(set) var highest: Int64
    /// Each range behind the one before it; there is one for each number of a record that lies behind all others.
    private var given: [ClosedRange<Int64>] = []

    /// Behind the highest one of the catalog.
    init(after highest: Int64) { self.highest = highest }

    enum Conflict: Error {
        /// The record has a number that was given to an earlier one.
        case taken
        case noneLeft
    }

    mutating func number(for record: ItemRecord) throws(Conflict) -> Int64 {
        if let number = record.serialNumber {
            guard !isGiven(number) else { throw .taken }
            highest = max(highest, number)
            return number
        }
        guard highest < Self.largest else { throw .noneLeft }
        highest += 1
        if let last = given.last, last.upperBound == highest - 1 {
            given[given.count - 1] = last.lowerBound...highest
        } else {
            given.append(highest...highest)
        }
        return highest
    }

    private func isGiven(_ number: Int64) -> Bool {
        var places = given.indices
        while let middle = places.isEmpty ? nil : places.lowerBound + places.count / 2 {
            if given[middle].contains(number) { return true }
            places = number < given[middle].lowerBound ? places.lowerBound..<middle : middle + 1..<places.upperBound
        }
        return false
    }
}

/// Assigns serial numbers in the order of a file. An item without a number gets the one after the highest. The numbers
/// therefore do not depend on where the file is split into chunks. An interrupted import assigns the same numbers as a
/// complete one.
struct SerialNumbers {
    /// The largest integer that every JSON reader represents exactly and that the database accepts.
    private static let largest: Int64 = 9_007_199_254_740_991

    private(set) var highest: Int64
    /// The assigned ranges, in ascending order. A record whose own number is above all others starts a new range.
    private var given: [ClosedRange<Int64>] = []

    /// Creates the numbers after the highest one of the catalog.
    init(after highest: Int64) { self.highest = highest }

    enum Conflict: Error {
        /// The number of the record was already assigned to an earlier record.
        case taken
        case noneLeft
    }

    mutating func number(for item: PreparedItem) throws(Conflict) -> Int64 {
        if let number = item.serialNumber {
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

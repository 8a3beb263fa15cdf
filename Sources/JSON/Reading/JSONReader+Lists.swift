extension JSONReader {
    /// Returns the elements of an array, which must be distinct.
    @inlinable
    package func distinct<Element: Hashable>(
        _ range: ClosedRange<Int>, _ read: (JSONReader) throws(JSONReadError) -> Element
    ) throws(JSONReadError) -> [Element] {
        let elements = try elements()
        var failure = range.contains(elements.underestimatedCount) ? nil : refuseCount(range)
        var list: [Element] = []
        list.reserveCapacity(Swift.min(elements.underestimatedCount, range.upperBound))
        // A search in a short list is faster than a set.
        var known: Set<Element> = []
        for element in elements {
            do throws(JSONReadError) {
                let value = try read(element)
                if list.count == 16, known.isEmpty { known = Set(list) }
                let isNew = list.count < 16 ? !list.contains(value) : known.insert(value).inserted
                guard isNew else { throw element.refuseRepetition() }
                list.append(value)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return list
    }

    /// Reports a number of elements that is not in the range. Returns an error to throw.
    @usableFromInline
    package func refuseCount(_ range: ClosedRange<Int>) -> JSONReadError {
        refuse(.invalidCount, "expected \(range.lowerBound) to \(range.upperBound) elements, found \(node.count)")
    }

    @usableFromInline
    func refuseRepetition() -> JSONReadError { refuse(.duplicate, "this value is already in the list") }

    /// Returns one element, or several distinct elements of an array.
    package func oneOrMore<Element: Hashable>(
        _ maximum: Int, _ read: (JSONReader) throws(JSONReadError) -> Element
    ) throws(JSONReadError) -> [Element] {
        kind == .array ? try distinct(1...maximum, read) : [try read(self)]
    }
}

extension JSONWriter {
    /// Writes a list in the form that `oneOrMore` reads: a single element is written without an array.
    package mutating func member(_ key: String, oneOrMore list: [some JSONEncodable]) {
        if let only = list.first, list.count == 1 { member(key, only) } else { member(key, list) }
    }
}

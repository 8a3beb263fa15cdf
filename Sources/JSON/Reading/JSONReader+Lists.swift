extension JSONReader {
    /// Returns the elements of an array, which must be distinct.
    package func distinct<Element: Hashable>(
        _ range: ClosedRange<Int>, _ read: (JSONReader) throws(JSONReadError) -> Element
    ) throws(JSONReadError) -> [Element] {
        let miscount: JSONReadError? =
            kind != .array || range.contains(node.count)
            ? nil : refuse(.invalidCount, "expected \(range.lowerBound) to \(range.upperBound) elements, found \(node.count)")
        var known: Set<Element> = []
        let list = try list { element throws(JSONReadError) in
            let value = try read(element)
            guard known.insert(value).inserted else { throw element.refuse(.duplicate, "this value is already in the list") }
            return value
        }
        if let miscount { throw miscount }
        return list
    }

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

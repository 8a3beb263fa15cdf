extension Span<UInt8> {
    /// The elements of a list such as `de, en;q=0.8`, each with its weight in thousandths. What is malformed is left out.
    func forEachWeighted(_ body: (_ name: Span<UInt8>, _ weight: Int) -> Void) {
        forEachListElement { element in
            var end = 0
            while end < element.count, element[end].isToken { end += 1 }
            guard end > 0, let weight = element.extracting(droppingFirst: end).weight else { return }
            body(element.extracting(first: end), weight)
        }
    }

    /// `;q=0.8` with blanks around the semicolon; 1000 where there is nothing, nil where there is something else.
    private var weight: Int? {
        if isEmpty { return 1000 }
        var start = 0
        while start < count, self[start].isBlank { start += 1 }
        guard start < count, self[start] == UInt8(ascii: ";") else { return nil }
        start += 1
        while start < count, self[start].isBlank { start += 1 }
        guard count - start > 2, self[start].lowercased == UInt8(ascii: "q"), self[start + 1] == UInt8(ascii: "=") else { return nil }
        return extracting(droppingFirst: start + 2).thousandths
    }

    /// `0`, `1`, `0.123`, `1.000`: at most three digits behind the point and no more than 1.
    private var thousandths: Int? {
        guard (1...5).contains(count), self[0] == UInt8(ascii: "0") || self[0] == UInt8(ascii: "1") else { return nil }
        if count > 1, self[1] != UInt8(ascii: ".") { return nil }
        var value = Int(self[0] - 0x30)
        for place in 2..<5 {
            if place < count, !self[place].isDigit { return nil }
            value = value * 10 + (place < count ? Int(self[place] - 0x30) : 0)
        }
        return value <= 1000 ? value : nil
    }
}

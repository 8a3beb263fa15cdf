internal import Values

/// One to four numbers, compared one after another; those that are missing are 0, so 3 and 3.0 are one version.
package struct Version: Sendable, Hashable {
    /// Without zeros at the end.
    private let numbers: [Int]

    /// Nil for what has anything but digits between its dots, as `3.2-beta` has.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...9).contains(part.count), part.allSatisfy(\.isDigit) else {
                return nil
            }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }
}

extension Version: Comparable {
    package static func < (a: Version, b: Version) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }
}

extension Version: CustomStringConvertible {
    package var description: String { numbers.isEmpty ? "0" : numbers.map(String.init).joined(separator: ".") }
}

/// The query of a target after the question mark: names and values in order.
///
/// An empty part, as in `a=1&&b=2`, is an item with an empty name, so that routes can reject it. A question mark alone has no items.
package struct Query: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package let items: [Item]

    package init() { items = [] }

    package init(parsing bytes: Span<UInt8>) throws(RequestError) {
        for index in 0..<bytes.count where !bytes[index].isQuery {
            throw RequestError(.badRequest, "the query contains a character that must be escaped")
        }
        var items: [Item] = []
        guard !bytes.isEmpty else {
            self.items = items
            return
        }
        items.reserveCapacity(4)
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: "&") {
            items.append(try Self.item(bytes.extracting(start..<index)))
            start = index + 1
        }
        self.items = items
    }

    /// The first value with a name.
    package subscript(name: String) -> String? { items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    package func all(_ name: String) -> [String] { items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value) }

    private static func item(_ bytes: Span<UInt8>) throws(RequestError) -> Item {
        var equals = 0
        while equals < bytes.count, bytes[equals] != UInt8(ascii: "=") { equals += 1 }
        let valueStart = min(equals + 1, bytes.count)
        guard let name = bytes.extracting(0..<equals).percentDecoded(plusIsSpace: true),
            let value = bytes.extracting(valueStart..<bytes.count).percentDecoded(plusIsSpace: true)
        else { throw RequestError(.badRequest, "the query contains an escape that is malformed, U+0000 or not UTF-8") }
        return Item(name: name, value: value)
    }
}

extension Span<UInt8> {
    /// Decodes each escape once. Returns nil if an escape is malformed, or if the result has U+0000 or invalid UTF-8.
    func percentDecoded(plusIsSpace: Bool) -> String? {
        var index = 0
        while index < count, self[index] != UInt8(ascii: "%"), self[index] != UInt8(ascii: "+") || !plusIsSpace { index += 1 }
        if index == count { return text }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(count)
        extracting(first: index).append(to: &decoded)
        while index < count {
            switch self[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < count, let high = self[index + 1].hexadecimalDigit, let low = self[index + 2].hexadecimalDigit,
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(0x20)
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

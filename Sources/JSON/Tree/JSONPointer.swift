/// The path to a value of a document (RFC 6901), such as `/sections/0/title`. The empty path names the whole document.
package struct JSONPointer: Sendable {
    package private(set) var tokens: [String]

    package static let root = JSONPointer(tokens: [])

    package init(tokens: [String]) {
        self.tokens = tokens
    }

    /// Parses a pointer. Returns nil unless the text is empty or starts with `/`, and each `~` is followed by 0 or 1.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.isEmpty || (parts.first?.isEmpty == true && parts.count > 1) else { return nil }
        tokens = []
        for part in text.isEmpty ? [] : parts.dropFirst() {
            guard let token = Self.unescape(part) else { return nil }
            tokens.append(token)
        }
    }

    package mutating func append(_ key: String) { tokens.append(key) }

    package mutating func append(_ index: Int) { tokens.append(String(index)) }

    package func appending(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens + [key]) }

    package func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    private static func unescape(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONNode {
    /// Returns the value at a pointer below this one, or the last value on its path.
    package func nearest(to pointer: JSONPointer) -> JSONNode {
        var node = self
        for token in pointer.tokens {
            guard let next = node.kind == .array ? node.element(named: token) : node[token] else { return node }
            node = next
        }
        return node
    }
}

extension JSONPointer: CustomStringConvertible {
    package var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
                case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: Equatable {
    /// Compares bytes, so two spellings of one character are two keys.
    package static func == (a: JSONPointer, b: JSONPointer) -> Bool {
        a.tokens.elementsEqual(b.tokens) { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension JSONPointer: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let pointer = JSONPointer(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidFormat, "expected a JSON Pointer such as /sections/0")
        }
        self = pointer
    }
}

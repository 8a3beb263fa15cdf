/// The members of an object, found without parsing their values.
///
/// An outline takes a third of the time of a document. It is for texts that are known to be JSON: values inside a member are only
/// skipped.
package struct JSONOutline {
    /// The kinds of the elements of an array, or of the values of an object.
    package struct Children: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let strings = Children(rawValue: 1)
        package static let objects = Children(rawValue: 2)
        package static let others = Children(rawValue: 4)
    }

    package struct Value {
        package let kind: JSONKind
        /// The range in the source. The one of a string has its quotes.
        package let range: Range<Int>
        package let children: Children
    }

    private struct Member {
        let key: Range<Int>
        let value: Value
    }

    package let source: [UInt8]
    private var members: [Member] = []
    private var next = 0

    /// Creates an outline, or returns nil if the text is not an object or has a key with escapes.
    package init?(_ source: [UInt8]) {
        self.source = source
        var scanner = OutlineScanner(source)
        guard scanner.skip(UInt8(ascii: "{")) else { return nil }
        members.reserveCapacity(24)
        if !scanner.skip(UInt8(ascii: "}")) {
            repeat {
                guard let key = scanner.plainString(), scanner.skip(UInt8(ascii: ":")), let value = scanner.value() else { return nil }
                members.append(Member(key: key, value: value))
            } while scanner.skip(UInt8(ascii: ","))
            guard scanner.skip(UInt8(ascii: "}")) else { return nil }
        }
        guard scanner.isAtEnd else { return nil }
    }

    /// Returns the value under a key. Each search starts after the last member found, so searching in the order of the text is
    /// fastest.
    package mutating func value(_ key: String) -> Value? {
        let key = key.utf8.span
        for offset in members.indices {
            let index = next + offset < members.count ? next + offset : next + offset - members.count
            let member = members[index]
            guard member.key.count == key.count, source.span.extracting(member.key).holdsSameBytes(as: key) else { continue }
            next = index + 1 < members.count ? index + 1 : 0
            return member.value
        }
        return nil
    }

    /// Returns the text of a string without escapes, or nil for other values.
    package func text(_ string: Value) -> String? {
        var scanner = OutlineScanner(source, from: string.range.lowerBound)
        return scanner.plainString().map { source.span.extracting($0).text() }
    }

    /// Returns the first key of an object, or nil if it has escapes or the object is empty.
    package func firstKey(_ object: Value) -> String? {
        var scanner = OutlineScanner(source, from: object.range.lowerBound)
        guard object.kind == .object, scanner.skip(UInt8(ascii: "{")), let key = scanner.plainString() else { return nil }
        return source.span.extracting(key).text()
    }

    /// Parses a value as a document of its own.
    package func document(_ value: Value) throws(JSONError) -> JSONDocument {
        try JSONDocument(parsing: Array(source[value.range]), limits: .ownOutput)
    }
}

/// Moves over the tokens of an object.
private struct OutlineScanner {
    private let source: [UInt8]
    private var position: Int

    init(_ source: [UInt8], from position: Int = 0) {
        self.source = source
        self.position = position
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return position == source.count
        }
    }

    /// Moves over a character, if it is the next one.
    @inline(__always)
    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < source.count, source[position] == byte else { return false }
        position += 1
        return true
    }

    /// Moves over a string without escapes and returns the range of its text.
    mutating func plainString() -> Range<Int>? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = position
        position = source.span.endOfPlainText(from: start)
        guard position < source.count, source[position] == UInt8(ascii: "\"") else { return nil }
        position += 1
        return start..<position - 1
    }

    mutating func value() -> JSONOutline.Value? {
        skipSpace()
        guard position < source.count else { return nil }
        let start = position
        var children: JSONOutline.Children = []
        let kind: JSONKind
        switch source[position] {
        case UInt8(ascii: "\""):
            kind = .string
            guard skipString() else { return nil }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            kind = source[position] == UInt8(ascii: "{") ? .object : .array
            guard skipContainer(&children) else { return nil }
        case let byte:
            switch byte {
            case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = .bool
            case UInt8(ascii: "n"): kind = .null
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number
            default: return nil
            }
            while position < source.count, !source[position].endsWord { position += 1 }
        }
        return JSONOutline.Value(kind: kind, range: start..<position, children: children)
    }

    @inline(__always)
    private mutating func skipSpace() {
        while position < source.count, source[position] <= 0x20 { position += 1 }
    }

    /// Moves over a string with any escapes.
    private mutating func skipString() -> Bool {
        position += 1
        while true {
            position = source.span.endOfPlainText(from: position)
            guard position < source.count else { return false }
            switch source[position] {
            case UInt8(ascii: "\""):
                position += 1
                return true
            case UInt8(ascii: "\\"): position = min(position + 2, source.count)
            default: return false
            }
        }
    }

    /// Moves over an array or an object, and adds the kinds of its children.
    private mutating func skipContainer(_ children: inout JSONOutline.Children) -> Bool {
        let separator = source[position] == UInt8(ascii: "{") ? UInt8(ascii: ":") : UInt8(ascii: ",")
        var (depth, isChild) = (1, separator == UInt8(ascii: ","))
        position += 1
        while position < source.count {
            let byte = source[position]
            switch byte {
            case UInt8(ascii: "\""):
                if isChild { children.insert(.strings) }
                isChild = false
                guard skipString() else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if isChild { children.insert(byte == UInt8(ascii: "{") ? .objects : .others) }
                isChild = false
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                isChild = false
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            case UInt8(ascii: ":"), UInt8(ascii: ","): isChild = depth == 1 && byte == separator
            case 0...0x20: break
            default:
                if isChild { children.insert(.others) }
                isChild = false
            }
            position += 1
        }
        return false
    }
}

extension UInt8 {
    /// Whether a number or a literal ends before the byte.
    fileprivate var endsWord: Bool {
        self <= 0x20 || self == UInt8(ascii: ",") || self == UInt8(ascii: "}") || self == UInt8(ascii: "]")
    }
}

/// The members of an object, found without parsing their values.
///
/// An outline takes a third of the time of a document. It is for texts that are known to be JSON: values inside a member are only
/// skipped. A text with an outline can be parsed, unless an object inside a member has a key twice.
package struct JSONOutline {
    /// The maximum number of members.
    package static let maxMembers = 64

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

    /// Creates an outline. Returns nil if the text is not an object, or if only its parser decides about a part of it: a key with
    /// escapes, a key that appears twice, an escape `\u`, a number with an exponent or hundreds of digits, too many members or levels.
    package init?(_ source: [UInt8]) {
        self.source = source
        var scanner = OutlineScanner(source)
        guard scanner.skip(UInt8(ascii: "{")) else { return nil }
        members.reserveCapacity(24)
        var known: UInt64 = 0
        if !scanner.skip(UInt8(ascii: "}")) {
            repeat {
                guard members.count < Self.maxMembers, let key = scanner.plainString(), scanner.skip(UInt8(ascii: ":")),
                    let value = scanner.value()
                else { return nil }
                let bit = source.span.extracting(key).sketchBit
                if known & bit != 0, hasMember(key) { return nil }
                known |= bit
                members.append(Member(key: key, value: value))
            } while scanner.skip(UInt8(ascii: ","))
            guard scanner.skip(UInt8(ascii: "}")) else { return nil }
        }
        guard scanner.isAtEnd else { return nil }
    }

    private func hasMember(_ key: Range<Int>) -> Bool {
        let name = source.span.extracting(key)
        for member in members where source.span.extracting(member.key).holdsSameBytes(as: name) { return true }
        return false
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

    /// Returns the text of a string, or nil if it has escapes or the value is not a string.
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
        try JSONDocument(parsing: Array(source[value.range]), limits: .published)
    }
}

/// Moves over the tokens of an object.
private struct OutlineScanner {
    /// The maximum depth of arrays and objects in the value of a member. The object itself is the first level.
    private static let maxDepth = JSONLimits.published.depth - 1
    /// The maximum length of a number. A shorter one without an exponent is in the range of a double.
    private static let maxNumber = 300

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
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard skipNumber() else { return nil }
                return JSONOutline.Value(kind: .number, range: start..<position, children: [])
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

    /// Moves over a number. Returns false if it may be beyond the range of a double.
    @inline(__always)
    private mutating func skipNumber() -> Bool {
        let start = position
        while position < source.count, !source[position].endsWord {
            if source[position] | 0x20 == UInt8(ascii: "e") { return false }
            position += 1
        }
        return position - start <= Self.maxNumber
    }

    /// Moves over a string. Returns false if it has an escape `\u`, which can be U+0000 or half of a surrogate pair.
    private mutating func skipString() -> Bool {
        position += 1
        while true {
            position = source.span.endOfPlainText(from: position)
            guard position < source.count else { return false }
            switch source[position] {
            case UInt8(ascii: "\""):
                position += 1
                return true
            case UInt8(ascii: "\\"):
                guard position + 1 < source.count, source[position + 1] != UInt8(ascii: "u") else { return false }
                position += 2
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
                guard depth <= Self.maxDepth else { return false }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                isChild = false
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            case UInt8(ascii: ":"), UInt8(ascii: ","): isChild = depth == 1 && byte == separator
            case 0...0x20: break
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isChild { children.insert(.others) }
                isChild = false
                guard skipNumber() else { return false }
                continue
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

import Values

extension Bool: JSONDecodable {
    @usableFromInline
    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.entry.tag {
        case .true: self = true
        case .false: self = false
        default: throw json.mismatch("true or false")
        }
    }
}

extension String: JSONDecodable {
    @usableFromInline
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let text = json.text else { throw json.mismatch("a string") }
        self = text
    }
}

extension Double: JSONDecodable {
    @usableFromInline
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .number else { throw json.mismatch("a number") }
        self = json.numberText.double
    }
}

extension JSONDecodable where Self: FixedWidthInteger {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let value = try Self(exactly: json.wideInteger()) else { throw json.outOfRange(of: Self.self) }
        self = value
    }
}

extension Int: JSONDecodable {}
extension Int32: JSONDecodable {}
extension Int64: JSONDecodable {}
extension UInt8: JSONDecodable {}
extension UInt16: JSONDecodable {}
extension UInt32: JSONDecodable {}
extension UInt64: JSONDecodable {}

/// An enum whose raw values are the words of the document.
extension JSONDecodable where Self: RawRepresentable<String> & CaseIterable {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        for word in Self.allCases where json.isString(word.rawValue) {
            self = word
            return
        }
        throw json.notOne(of: Self.allCases.map(\.rawValue))
    }
}

extension JSONReader {
    fileprivate var numberText: JSONNumberText { node.numberText }

    /// Wide enough for each integer type; what is wider still becomes the widest, which none of them holds.
    @usableFromInline
    func wideInteger() throws(JSONReadError) -> Int128 {
        guard entry.tag == .integer else { throw mismatch("an integer", hint: advisedInteger) }
        if let integer = numberText.integer(as: Int.self) { return Int128(integer) }
        return numberText.integer(as: Int128.self) ?? .max
    }

    @usableFromInline
    func outOfRange<Integer: FixedWidthInteger>(of type: Integer.Type) -> JSONReadError {
        refuse(.outOfRange, "expected an integer from \(type.min) to \(type.max)")
    }

    @usableFromInline
    func isString(_ word: String) -> Bool {
        guard entry.tag == .string || entry.tag == .escapedString else { return false }
        return session.tape.hasText(word, at: index)
    }

    @usableFromInline
    func notOne(of words: [String]) -> JSONReadError {
        let expected = (words.count > 1 ? "one of " : "") + words.map(JSONExcerpt.of).joined(separator: ", ")
        guard kind == .string else { return mismatch(expected) }
        let word = node.text
        return refuse(
            .notOneOf, "expected \(expected), found \(JSONExcerpt.of(word))",
            hint: word.nearest(among: words).map { "did you mean \"\($0)\"?" })
    }

    /// Where a number such as 3.0 or 1e2 is meant as an integer, its plain form.
    private var advisedInteger: String? {
        guard kind == .number, let value = node.double, let integer = Int(exactly: value) else { return nil }
        return "write \(integer)"
    }
}

internal import Items
internal import JSON

extension JSONReader {
    /// A string that looks like what it should be.
    func word(_ form: IdentifierFormat) throws(JSONReadError) -> String {
        let text = try decode(as: String.self)
        guard form.fits(text) else { throw refuse(.invalidFormat, "expected \(form.expected)") }
        return text
    }

    /// The elements of an array, none of which is there twice.
    func distinct<Element: Hashable>(
        _ range: ClosedRange<Int>, _ read: (JSONReader) throws(JSONReadError) -> Element
    ) throws(JSONReadError) -> [Element] {
        let miscount: JSONReadError? =
            kind != .array || range.contains(node.count)
            ? nil : refuse(.invalidCount, "expected \(range.lowerBound) to \(range.upperBound) elements, found \(node.count)")
        var seen: Set<Element> = []
        let list = try list { element throws(JSONReadError) in
            let value = try read(element)
            guard seen.insert(value).inserted else { throw element.refuse(.duplicate, "this stands in the list already") }
            return value
        }
        if let miscount { throw miscount }
        return list
    }

    /// One thing, or an array of several that differ.
    func oneOrMore<Element: Hashable>(
        _ maximum: Int, _ read: (JSONReader) throws(JSONReadError) -> Element
    ) throws(JSONReadError) -> [Element] {
        kind == .array ? try distinct(1...maximum, read) : [try read(self)]
    }

    func words(_ form: IdentifierFormat) throws(JSONReadError) -> [String] {
        try oneOrMore(Self.maxWords) { element throws(JSONReadError) in try element.word(form) }
    }

    static var maxWords: Int { 50 }
}

extension JSONReader {
    func locale() throws(JSONReadError) -> LocaleTag {
        guard let locale = LocaleTag(try decode(as: String.self)) else {
            throw refuse(.invalidFormat, "expected \(IdentifierFormat.locale.expected)")
        }
        return locale
    }
}

extension JSONObjectReader {
    /// A part that is read with what is known besides; nil where it is absent or faulty, which has been reported.
    mutating func optional<Value>(_ key: String, _ read: (JSONReader) throws(JSONReadError) -> Value) -> Value? {
        guard let reader = member(key) else { return nil }
        do throws(JSONReadError) {
            return try read(reader)
        } catch {
            return nil
        }
    }

    mutating func required<Value>(_ key: String, _ read: (JSONReader) throws(JSONReadError) -> Value) -> Value? {
        if !has(key) { report(.missingKey, at: key, "the key \"\(key)\" is missing") }
        return optional(key, read)
    }

    /// Whether there is such a member, faulty or not.
    func has(_ key: String) -> Bool { json.node[key] != nil }

    /// Reports a mistake and goes on to find others; `finish()` refuses the object for it.
    func report(
        _ code: JSONIssue.Code, at key: String, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        _ = refuse(code, at: key, message(), hint: hint())
    }
}

extension JSONWriter {
    /// The counterpart of `oneOrMore`: a list of one is written as the one.
    mutating func member(_ key: String, oneOrMore list: [some JSONEncodable]) {
        if let only = list.first, list.count == 1 { member(key, only) } else { member(key, list) }
    }
}

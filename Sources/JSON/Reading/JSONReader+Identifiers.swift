package import Values

extension JSONReader {
    /// Returns a string in the given format.
    package func identifier(_ form: IdentifierFormat) throws(JSONReadError) -> String {
        let text = try decode(as: String.self)
        guard form.fits(text) else { throw refuse(.invalidFormat, "expected \(form.expected)") }
        return text
    }

    /// Returns a name that the catalog does not define, such as a cell style.
    package func name() throws(JSONReadError) -> String { try identifier(.name) }

    /// The regular expression of the names that `name()` reads.
    package static var namePattern: String { IdentifierFormat.name.pattern }

    /// Reports that the key of this value is not one of these. Returns an error to throw.
    package func refuseKey(_ subject: String, among keys: [String]) -> JSONReadError {
        let list = keys.prefix(20).map { "\"\($0.printable(limit: 48))\"" }.joined(separator: ", ")
        return refuse(.invalidChoice, "\(subject) \(list)", hint: key.nearest(among: keys).map { "did you mean \"\($0)\"?" })
    }

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

    package func identifiers(_ form: IdentifierFormat) throws(JSONReadError) -> [String] {
        try oneOrMore(Self.maxIdentifiers) { element throws(JSONReadError) in try element.identifier(form) }
    }

    package static var maxIdentifiers: Int { 50 }
}

extension JSONReader {
    package func locale() throws(JSONReadError) -> LocaleTag {
        guard let locale = LocaleTag(try decode(as: String.self)) else {
            throw refuse(.invalidFormat, "expected \(IdentifierFormat.locale.expected)")
        }
        return locale
    }
}

extension JSONObjectReader {
    /// Returns an optional field, read with additional context. Returns nil if the field is absent or invalid. The
    /// issue has then been reported.
    package mutating func optional<Value>(_ key: String, _ read: (JSONReader) throws(JSONReadError) -> Value) -> Value? {
        guard let reader = member(key) else { return nil }
        do throws(JSONReadError) {
            return try read(reader)
        } catch {
            return nil
        }
    }

    package mutating func required<Value>(_ key: String, _ read: (JSONReader) throws(JSONReadError) -> Value) -> Value? {
        if !has(key) { report(.missingKey, at: key, "the key \"\(key)\" is missing") }
        return optional(key, read)
    }

    /// Whether the field exists, valid or not.
    package func has(_ key: String) -> Bool { json.node[key] != nil }

    /// Reports an issue and continues, so that all issues are found. `finish()` then rejects the object.
    package func report(
        _ code: JSONIssue.Code, at key: String, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        _ = refuse(code, at: key, message(), hint: hint())
    }
}

extension JSONWriter {
    /// Writes a list in the form that `oneOrMore` reads: a single element is written without an array.
    package mutating func member(_ key: String, oneOrMore list: [some JSONEncodable]) {
        if let only = list.first, list.count == 1 { member(key, only) } else { member(key, list) }
    }
}

extension JSONReader {
    /// Reads another value in place of this one. Its issues are reported at the same pointers below this value, or at
    /// the nearest parents that exist.
    package func decode<Value: JSONDecodable>(
        as type: Value.Type, from substitute: JSONValue, limits: JSONLimits
    ) throws(JSONReadError) -> Value {
        do throws(JSONError) {
            return try JSONDocument(parsing: substitute.json(), limits: limits).decode(type)
        } catch {
            for issue in error.issues {
                let nearest = node.nearest(to: issue.pointer)
                // An unknown key is reported at the key, which is the entry before its value.
                let isKey = issue.code == .unknownKey && nearest.index > index && session.tape.entries[nearest.index - 1].tag.isKey
                session.report(issue.code, at: isKey ? nearest.index - 1 : nearest.index, issue.message, hint: issue.hint)
            }
            throw JSONReadError()
        }
    }

    /// Reports an issue at a value below this one.
    package func report(
        _ code: JSONIssue.Code, at node: JSONNode, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        session.report(code, at: node.index, message(), hint: hint())
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

/// A value that a type reads, and the interface for reporting its issues.
@usableFromInline
package struct JSONReader {
    let session: JSONReadingContext
    let index: Int

    package var node: JSONNode { JSONNode(document: session.document, index: index) }

    package var kind: JSONKind { entry.tag.kind }

    @usableFromInline
    package var isNull: Bool { entry.tag == .null }

    /// Whether unknown keys and invalid optional parts are issues. See `JSONDocument.decodeLeniently`.
    package var isStrict: Bool { session.isStrict }

    var entry: JSONEntry { session.tape.entries[index] }

    @inlinable
    package func decode<Value: JSONDecodable>(
        as type: Value.Type = Value.self, _ rule: JSONRule<Value>? = nil
    ) throws(JSONReadError) -> Value {
        let value = try Value(from: self)
        try rule?.check(value, from: self)
        return value
    }

    /// The text of a string, or nil if the value has another kind. A separate function keeps the stack frame of the
    /// caller small.
    @inline(never)
    var text: String? { entry.tag == .string || entry.tag == .escapedString ? session.tape.text(at: index) : nil }

    /// Starts to read an object. `finish()` ends it.
    @usableFromInline
    package func object() throws(JSONReadError) -> JSONObjectReader {
        guard entry.tag == .object else { throw mismatch("an object") }
        return JSONObjectReader(self)
    }

    /// Returns the elements of an array, to be read one by one.
    @usableFromInline
    package func elements() throws(JSONReadError) -> JSONReaders {
        guard entry.tag == .array else { throw mismatch("an array") }
        return JSONReaders(session: session, index: index + 1, step: 0, remaining: Int(entry.length))
    }

    /// Returns the values of an object whose keys are data. Each reader has its name in `key`.
    @usableFromInline
    package func values() throws(JSONReadError) -> JSONReaders {
        guard entry.tag == .object else { throw mismatch("an object") }
        return JSONReaders(session: session, index: index + 2, step: 1, remaining: Int(entry.length))
    }

    /// The key of this value in its object, or an empty string for an element of an array.
    @usableFromInline
    package var key: String {
        guard index > 0, session.tape.entries[index - 1].tag.isKey else { return "" }
        return session.text(at: index - 1)
    }

    /// Reads an object with exactly one key, which names the variant. The value is read even if the object has unknown
    /// keys.
    package func variant<Key: RawRepresentable<String> & CaseIterable>(
        of type: Key.Type
    ) throws(JSONReadError) -> (Key, JSONReader) {
        var object = try object()
        let choice = object.choice(of: type)
        object.close()
        return try choice()
    }

    /// Reads a string that must be one of these words and returns its position among them.
    package func choice(among names: [String]) throws(JSONReadError) -> Int {
        guard let index = names.firstIndex(where: isString) else { throw notOne(of: names) }
        return index
    }

    /// Reads every element of an array, so that all issues are found. Throws after the last element if one was invalid.
    package func list<Element>(_ read: (JSONReader) throws(JSONReadError) -> Element) throws(JSONReadError) -> [Element] {
        var list: [Element] = []
        var failure: JSONReadError?
        for element in try elements() {
            do throws(JSONReadError) {
                list.append(try read(element))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return list
    }

    /// Reads the elements of an array as `list` does. A lenient reading drops only the invalid ones.
    package func lossyList<Element>(_ read: (JSONReader) throws(JSONReadError) -> Element) throws(JSONReadError) -> [Element] {
        guard !isStrict else { return try list(read) }
        var list: [Element] = []
        for element in try elements() {
            do throws(JSONReadError) {
                list.append(try read(element))
            } catch {
                continue
            }
        }
        return list
    }

    /// Reports an issue at this value and returns an error to throw.
    package func refuse(
        _ code: JSONIssue.Code, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) -> JSONReadError {
        session.report(code, at: index, message(), hint: hint())
        return JSONReadError()
    }

    /// Reports an issue at a value below this one.
    package func report(
        _ code: JSONIssue.Code, at node: JSONNode, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        session.report(code, at: node.index, message(), hint: hint())
    }

    /// Reports a value of a kind that the type does not read, and returns an error to throw.
    package func mismatch(_ expected: String, hint: @autoclosure () -> String? = nil) -> JSONReadError {
        refuse(.invalidType, "expected \(expected), found \(found)", hint: hint())
    }

    private var found: String {
        switch entry.tag {
        case .null, .false, .true, .integer, .fraction:
            String(decoding: session.tape.source[node.offset..<node.offset + Int(entry.length)], as: UTF8.self)
        case .string, .escapedString, .key, .escapedKey: "the string " + JSONExcerpt.of(node.text)
        case .array, .object: kind.rawValue
        }
    }
}

/// The readers of an array's elements or of an object's values, created one at a time.
@usableFromInline
package struct JSONReaders: Sequence, IteratorProtocol {
    let session: JSONReadingContext
    var index: Int
    /// The number of entries between two values: 1 for a key in an object, 0 in an array.
    let step: Int
    var remaining: Int

    @usableFromInline
    package var underestimatedCount: Int { remaining }

    @usableFromInline
    package mutating func next() -> JSONReader? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        defer { index = session.tape.entry(after: index) + step }
        return JSONReader(session: session, index: index)
    }
}

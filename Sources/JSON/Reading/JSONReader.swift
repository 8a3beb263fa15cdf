/// A value that is being read by a type; reports what is wrong with it.
@usableFromInline
package struct JSONReader {
    let session: JSONReadingContext
    let index: Int

    package var node: JSONNode { JSONNode(document: session.document, index: index) }

    package var kind: JSONKind { entry.tag.kind }

    @usableFromInline
    package var isNull: Bool { entry.tag == .null }

    /// False where a later reader is lenient: see `JSONDocument.decodeLeniently`.
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

    /// Nil where this is no string. Apart, so that nothing is held for it but what is read.
    @inline(never)
    var text: String? { entry.tag == .string || entry.tag == .escapedString ? session.tape.text(at: index) : nil }

    /// Begins to read an object; ends with `finish()`.
    @usableFromInline
    package func object() throws(JSONReadError) -> JSONObjectReader {
        guard entry.tag == .object else { throw mismatch("an object") }
        return JSONObjectReader(self)
    }

    /// The elements of an array, each to be read on its own.
    @usableFromInline
    package func elements() throws(JSONReadError) -> JSONReaders {
        guard entry.tag == .array else { throw mismatch("an array") }
        return JSONReaders(session: session, index: index + 1, step: 0, remaining: Int(entry.length))
    }

    /// The values of an object whose keys are data; `key` of each tells its name.
    @usableFromInline
    package func values() throws(JSONReadError) -> JSONReaders {
        guard entry.tag == .object else { throw mismatch("an object") }
        return JSONReaders(session: session, index: index + 2, step: 1, remaining: Int(entry.length))
    }

    /// The key under which this stands in an object; empty for an element of an array.
    @usableFromInline
    package var key: String {
        guard index > 0, session.tape.entries[index - 1].tag.isKey else { return "" }
        return session.text(at: index - 1)
    }

    /// Reads an object that has exactly one key, which says what it is; unknown keys beside it do not keep its value from being read.
    package func variant<Key: RawRepresentable<String> & CaseIterable>(
        of type: Key.Type
    ) throws(JSONReadError) -> (Key, JSONReader) {
        var object = try object()
        let choice = object.choice(of: type)
        object.close()
        return try choice()
    }

    /// Reads a string that is one of these words; the result is the word's place among them.
    package func place(among words: [String]) throws(JSONReadError) -> Int {
        guard let place = words.firstIndex(where: isString) else { throw notOne(of: words) }
        return place
    }

    /// Reads every element of an array, so that all mistakes are found, then refuses if one was faulty.
    package func list<Element>(_ read: (JSONReader) throws(JSONReadError) -> Element) throws(JSONReadError) -> [Element] {
        var list: [Element] = []
        var refusal: JSONReadError?
        for element in try elements() {
            do throws(JSONReadError) {
                list.append(try read(element))
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return list
    }

    /// Reports a mistake at this value; the result is there to be thrown.
    package func refuse(
        _ code: JSONIssue.Code, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) -> JSONReadError {
        session.report(code, at: index, message(), hint: hint())
        return JSONReadError()
    }

    /// The refusal of a value of another kind than the type reads.
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

/// The readers of an array's elements or of an object's values, made one at a time.
@usableFromInline
package struct JSONReaders: Sequence, IteratorProtocol {
    let session: JSONReadingContext
    var index: Int
    /// The entries between one value and the next: a key, or none.
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

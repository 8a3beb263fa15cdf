import Values

/// Reads the members of one object by their keys and remembers which keys were requested.
///
/// Each search starts after the last key found, so reading in the order of the text is fastest. A search allocates
/// nothing.
@usableFromInline
package struct JSONObjectReader {
    package let json: JSONReader
    private let count: Int
    /// Whether the requested keys are stored. They explain unknown keys, and they replace `readKeys` in an object of more
    /// than 64 members.
    private let remembersKeys: Bool
    private let firstRequestedKey: Int
    private let issuesBefore: Int
    private var requestedCount = 0
    private var cursor: JSONKeyCursor
    /// The bit set of the first 64 members that were requested.
    private var readKeys: UInt64 = 0
    @usableFromInline var lacksRequired = false
    /// Whether reading ended before all keys were requested, so that unknown keys cannot be determined.
    @usableFromInline var isCutShort = false

    init(_ json: JSONReader) {
        self.json = json
        count = Int(json.entry.length)
        remembersKeys = json.session.explains || count > 64
        firstRequestedKey = remembersKeys ? json.session.requestedKeys.count : 0
        issuesBefore = json.session.issueCount
        cursor = JSONKeyCursor(key: json.index + 1, count: count)
        assert(json.session.countUnfinished(1))
    }

    /// Returns the value under a key for custom reading, or nil if the key does not exist.
    @usableFromInline
    package mutating func member(_ key: String) -> JSONReader? {
        if remembersKeys { remember(key) }
        guard let (value, ordinal) = json.session.find(key, with: &cursor) else { return nil }
        if ordinal < 64 { readKeys |= 1 << UInt64(ordinal) }
        return JSONReader(session: json.session, index: value)
    }

    /// Returns the value of an optional part. A lenient reading treats null as absent; a strict one reports it, because
    /// no document format allows null here.
    @usableFromInline
    mutating func part(_ key: String) -> JSONReader? {
        guard let reader = member(key) else { return nil }
        guard reader.isNull else { return reader }
        if json.isStrict { json.session.report(.invalidType, at: reader.index, "expected a value, found null", hint: "omit the key") }
        return nil
    }

    /// Reads a required part.
    @inlinable
    package mutating func required<Value: JSONDecodable>(
        _ key: String, as type: Value.Type = Value.self, _ rule: JSONRule<Value>? = nil
    ) -> JSONField<Value> {
        guard let reader = member(key) else {
            reportMissing(key)
            return JSONField(nil)
        }
        let value = Self.read(reader, type, rule)
        if value == nil { lacksRequired = true }
        return JSONField(value)
    }

    /// Reads a required part and throws at the first issue, for callers that do not explain issues.
    @inlinable
    package mutating func value<Value: JSONDecodable>(_ key: String, _ rule: JSONRule<Value>? = nil) throws(JSONReadError) -> Value {
        let field = required(key, as: Value.self, rule)
        isCutShort = field.value == nil
        return try field()
    }

    /// Reads an optional part. If it is invalid, returns nil, and a strict reading fails while a lenient one drops the
    /// part.
    @inlinable
    package mutating func optional<Value: JSONDecodable>(
        _ key: String, as type: Value.Type = Value.self, _ rule: JSONRule<Value>? = nil
    ) -> Value? {
        guard let reader = part(key) else { return nil }
        return Self.read(reader, type, rule)
    }

    /// Reads an optional part with a default. `faulty` replaces a value that a lenient reading does not understand.
    @inlinable
    package mutating func value<Value: JSONDecodable>(
        _ key: String, default absent: Value, _ rule: JSONRule<Value>? = nil, faulty: Value? = nil
    ) -> Value {
        guard let reader = part(key) else { return absent }
        return Self.read(reader, Value.self, rule) ?? faulty ?? absent
    }

    /// Reads an optional part with a default that is too important to be dropped. If it is invalid, even a lenient
    /// reading rejects the object.
    @inlinable
    package mutating func essential<Value: JSONDecodable>(
        _ key: String, default absent: Value, _ rule: JSONRule<Value>? = nil
    ) -> Value {
        guard let reader = part(key) else { return absent }
        let value = Self.read(reader, Value.self, rule)
        if value == nil { lacksRequired = true }
        return value ?? absent
    }

    /// Reads an optional part that is too important to be dropped. If it is invalid, even a lenient reading rejects the
    /// object.
    @inlinable
    package mutating func essential<Value: JSONDecodable>(_ key: String, as type: Value.Type = Value.self) -> Value? {
        guard let reader = part(key) else { return nil }
        let value = Self.read(reader, type, nil)
        if value == nil { lacksRequired = true }
        return value
    }

    /// Reads the elements of an optional array. A lenient reading drops only the invalid elements.
    @inlinable
    package mutating func lossyArray<Element: JSONDecodable>(_ key: String, of type: Element.Type = Element.self) -> [Element] {
        guard let reader = part(key) else { return [] }
        do throws(JSONReadError) {
            return try reader.elements().compactMap { Self.read($0, type, nil) }
        } catch {
            return []
        }
    }

    /// Reads exactly one of the keys that an enum lists. The object may have other keys.
    package mutating func choice<Key: RawRepresentable<String> & CaseIterable>(of type: Key.Type) -> JSONField<(Key, JSONReader)> {
        var found: [(Key, JSONReader)] = []
        for key in type.allCases {
            if let reader = member(key.rawValue) { found.append((key, reader)) }
        }
        if found.count == 1 { return JSONField(found.first) }
        reportChoice(among: type.allCases.map(\.rawValue), found: found.count)
        return JSONField(nil)
    }

    /// Reports unrequested keys if the reading is strict. Throws if a requested part makes the object invalid.
    @usableFromInline
    package mutating func finish() throws(JSONReadError) {
        close()
        if lacksRequired || (json.isStrict && json.session.issueCount > issuesBefore) { throw JSONReadError() }
    }

    /// Reports unrequested keys if the reading is strict. They make the document invalid, but not yet this object.
    @usableFromInline
    mutating func close() {
        if json.isStrict, !isCutShort, count > 64 || readKeys.nonzeroBitCount < count { reportUnknownKeys() }
        if remembersKeys { forgetKeys(downTo: firstRequestedKey) }
        assert(json.session.countUnfinished(-1))
    }

    /// Reports an issue at a member, or at the object if it has no such member, and returns an error to throw.
    package func refuse(
        _ code: JSONIssue.Code, at key: String, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) -> JSONReadError {
        let index = json.node[key]?.index ?? json.index
        json.session.report(code, at: index, message(), hint: hint())
        return JSONReadError()
    }

    @inlinable
    static func read<Value: JSONDecodable>(_ reader: JSONReader, _ type: Value.Type, _ rule: JSONRule<Value>?) -> Value? {
        do throws(JSONReadError) {
            return try reader.decode(as: type, rule)
        } catch {
            return nil
        }
    }

    @usableFromInline
    mutating func reportMissing(_ key: String) {
        lacksRequired = true
        json.session.report(.missingKey, at: json.index, "the key \(JSONExcerpt.of(key)) is missing")
    }

    mutating func reportChoice(among keys: [String], found: Int) {
        lacksRequired = true
        let names = keys.map(JSONExcerpt.of).joined(separator: ", ")
        if found == 0 {
            json.session.report(.missingKey, at: json.index, "expected one of the keys \(names)")
        } else {
            json.session.report(.invalidChoice, at: json.index, "only one of the keys \(names) is allowed, found \(found)")
        }
    }

    private mutating func remember(_ key: String) {
        forgetKeys(downTo: firstRequestedKey + requestedCount)
        json.session.requestedKeys.append(key)
        requestedCount += 1
    }

    /// Removes the keys that inner objects stored before they were rejected.
    private func forgetKeys(downTo count: Int) {
        let surplus = json.session.requestedKeys.count - count
        if surplus > 0 { json.session.requestedKeys.removeLast(surplus) }
    }

    private func reportUnknownKeys() {
        let session = json.session
        guard remembersKeys else { return session.report(.unknownKey, at: json.index, "") }
        forgetKeys(downTo: firstRequestedKey + requestedCount)
        let known = Array(session.requestedKeys[firstRequestedKey...])
        for member in json.node.members where !known.contains(where: { member.hasKey($0) }) {
            session.report(
                .unknownKey, at: member.value.index - 1, "unknown key \(JSONExcerpt.of(member.key))",
                hint: Self.advice(for: member.key, known))
        }
    }

    private static func advice(for key: String, _ known: [String]) -> String {
        if let near = key.nearest(among: known) { return "did you mean \"\(near)\"?" }
        return known.isEmpty ? "the object must be empty" : "known keys: " + known.joined(separator: ", ")
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

/// A required part of an object, or nothing if an issue has been reported.
@usableFromInline
package struct JSONField<Value> {
    /// The value, or nil if the part is missing or invalid.
    @usableFromInline
    package let value: Value?

    @inlinable
    package init(_ value: Value?) {
        self.value = value
    }

    @inlinable
    package func callAsFunction() throws(JSONReadError) -> Value {
        guard let value else { throw JSONReadError() }
        return value
    }
}

import Values

/// Reads the members of one object by their keys and remembers which were asked for.
///
/// A key costs a walk from where the last one was found, so reading in the order of the text is quickest; nothing is allocated for it.
@usableFromInline
package struct JSONObjectReader {
    package let json: JSONReader
    private let count: Int
    /// What was asked for is needed to explain unknown keys, and to find them beyond the 64 members that `seen` has a place for.
    private let remembersKeys: Bool
    private let firstAsked: Int
    private let issuesBefore: Int
    private var askedCount = 0
    /// The ordinal and the entry of the key to look at first.
    private var cursor = (ordinal: 0, key: 0)
    /// Which of the first 64 members were asked for.
    private var seen: UInt64 = 0
    @usableFromInline var lacksRequired = false
    /// Whether the reading has ended before all keys were asked for, so that nobody knows which are unknown.
    @usableFromInline var isCutShort = false

    init(_ json: JSONReader) {
        self.json = json
        count = Int(json.entry.length)
        remembersKeys = json.session.explains || count > 64
        firstAsked = remembersKeys ? json.session.asked.count : 0
        issuesBefore = json.session.issueCount
        cursor.key = json.index + 1
        assert(json.session.countUnfinished(1))
    }

    /// The value under a key, to be read by hand; nil where there is none.
    @usableFromInline
    package mutating func member(_ key: String) -> JSONReader? {
        let session = json.session
        if remembersKeys { remember(key) }
        for _ in 0..<count {
            let found = session.tape.hasText(key, at: cursor.key)
            let value = cursor.key + 1
            if found, cursor.ordinal < 64 { seen |= 1 << UInt64(cursor.ordinal) }
            cursor.ordinal += 1
            cursor.key = session.tape.entry(after: value)
            if cursor.ordinal == count { cursor = (0, json.index + 1) }
            if found { return JSONReader(session: session, index: value) }
        }
        return nil
    }

    /// The value of a part that may be absent. A lenient reading takes null for absent; a strict one refuses it, as no grammar here has it.
    @usableFromInline
    mutating func part(_ key: String) -> JSONReader? {
        guard let reader = member(key) else { return nil }
        guard reader.isNull else { return reader }
        if json.isStrict { json.session.report(.invalidType, at: reader.index, "expected a value, found null", hint: "leave the key out") }
        return nil
    }

    /// A part that must be there.
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

    /// A part that must be there, for a reading that has nobody to explain all mistakes to: the first one ends it.
    @inlinable
    package mutating func value<Value: JSONDecodable>(_ key: String, _ rule: JSONRule<Value>? = nil) throws(JSONReadError) -> Value {
        let field = required(key, as: Value.self, rule)
        isCutShort = field.value == nil
        return try field()
    }

    /// A part that may be absent; nil also where it is faulty, which refuses a strict reading and drops the part from a lenient one.
    @inlinable
    package mutating func optional<Value: JSONDecodable>(
        _ key: String, as type: Value.Type = Value.self, _ rule: JSONRule<Value>? = nil
    ) -> Value? {
        guard let reader = part(key) else { return nil }
        return Self.read(reader, type, rule)
    }

    /// A part with a value of its own for when it is absent; `faulty` stands for what a lenient reading does not understand.
    @inlinable
    package mutating func value<Value: JSONDecodable>(
        _ key: String, default absent: Value, _ rule: JSONRule<Value>? = nil, faulty: Value? = nil
    ) -> Value {
        guard let reader = part(key) else { return absent }
        return Self.read(reader, Value.self, rule) ?? faulty ?? absent
    }

    /// A part with a value of its own for when it is absent, and too important to be dropped: where it is faulty, a lenient
    /// reading refuses the object as well.
    @inlinable
    package mutating func essential<Value: JSONDecodable>(
        _ key: String, default absent: Value, _ rule: JSONRule<Value>? = nil
    ) -> Value {
        guard let reader = part(key) else { return absent }
        let value = Self.read(reader, Value.self, rule)
        if value == nil { lacksRequired = true }
        return value ?? absent
    }

    /// A part that may be absent, and too important to be dropped: a lenient reading refuses the object as well if it is faulty.
    @inlinable
    package mutating func essential<Value: JSONDecodable>(_ key: String, as type: Value.Type = Value.self) -> Value? {
        guard let reader = part(key) else { return nil }
        let value = Self.read(reader, type, nil)
        if value == nil { lacksRequired = true }
        return value
    }

    /// The elements of an array that may be absent; a lenient reading drops the faulty ones alone.
    @inlinable
    package mutating func lossyArray<Element: JSONDecodable>(_ key: String, of type: Element.Type = Element.self) -> [Element] {
        guard let reader = part(key) else { return [] }
        do throws(JSONReadError) {
            return try reader.elements().compactMap { Self.read($0, type, nil) }
        } catch {
            return []
        }
    }

    /// Exactly one of the keys that an enum lists; other keys may stand beside it.
    package mutating func choice<Key: RawRepresentable<String> & CaseIterable>(of type: Key.Type) -> JSONField<(Key, JSONReader)> {
        var found: [(Key, JSONReader)] = []
        for key in type.allCases {
            if let reader = member(key.rawValue) { found.append((key, reader)) }
        }
        if found.count == 1 { return JSONField(found.first) }
        reportChoice(among: type.allCases.map(\.rawValue), found: found.count)
        return JSONField(nil)
    }

    /// Reports keys that nobody asked for, if strict; throws if any part that was asked for refuses the object.
    @usableFromInline
    package mutating func finish() throws(JSONReadError) {
        close()
        if lacksRequired || (json.isStrict && json.session.issueCount > issuesBefore) { throw JSONReadError() }
    }

    /// Reports keys that nobody asked for, if strict, which refuses the document and not yet this object.
    @usableFromInline
    mutating func close() {
        if json.isStrict, !isCutShort, count > 64 || seen.nonzeroBitCount < count { reportUnknownKeys() }
        if remembersKeys { forgetKeys(downTo: firstAsked) }
        assert(json.session.countUnfinished(-1))
    }

    /// Reports a mistake at a member, or at the object where it has no such member; the result is there to be thrown.
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
            json.session.report(.missingKey, at: json.index, "one of the keys \(names) is missing")
        } else {
            json.session.report(.invalidChoice, at: json.index, "only one of the keys \(names) may be there, found \(found)")
        }
    }

    private mutating func remember(_ key: String) {
        forgetKeys(downTo: firstAsked + askedCount)
        json.session.asked.append(key)
        askedCount += 1
    }

    /// An inner object that was refused leaves the keys it was asked for behind.
    private func forgetKeys(downTo count: Int) {
        let surplus = json.session.asked.count - count
        if surplus > 0 { json.session.asked.removeLast(surplus) }
    }

    private func reportUnknownKeys() {
        let session = json.session
        guard remembersKeys else { return session.report(.unknownKey, at: json.index, "") }
        forgetKeys(downTo: firstAsked + askedCount)
        let known = Array(session.asked[firstAsked...])
        for member in json.node.members where !known.contains(where: { member.hasKey($0) }) {
            session.report(
                .unknownKey, at: member.value.index - 1, "the key \(JSONExcerpt.of(member.key)) is not known here",
                hint: Self.advice(for: member.key, known))
        }
    }

    private static func advice(for key: String, _ known: [String]) -> String {
        if let near = key.nearest(among: known) { return "did you mean \"\(near)\"?" }
        return known.isEmpty ? "the object must be empty" : "known are " + known.joined(separator: ", ")
    }
}

/// A required part of an object: its value, or nothing because a mistake has been reported.
@usableFromInline
package struct JSONField<Value> {
    /// Nil where the part is missing or faulty.
    @usableFromInline
    package let value: Value?

    @inlinable
    init(_ value: Value?) {
        self.value = value
    }

    @inlinable
    package func callAsFunction() throws(JSONReadError) -> Value {
        guard let value else { throw JSONReadError() }
        return value
    }
}

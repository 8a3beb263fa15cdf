package import Values

/// Writes JSON into a growing buffer and adds commas and escapes.
///
/// Keys are not checked for duplicates. A number that is not finite is written as null, and `finish()` throws. It also throws after
/// `fail(with:)`.
@usableFromInline
package struct JSONWriter {
    package enum Style: Sendable {
        case compact
        /// One line for each member and element, indented by two spaces a level.
        case pretty
    }

    package private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var depth = 0
    private var needsComma = false
    private var followsKey = false
    private var firstNotFinite: (offset: Int, number: Double)?
    private var failure: JSONError?

    package init(_ style: Style = .compact, capacity: Int = 256) {
        isPretty = style == .pretty
        bytes.reserveCapacity(capacity)
    }

    /// Makes `finish()` throw an error, for a value that cannot be written. The first error remains.
    package mutating func fail(with error: JSONError) { if failure == nil { failure = error } }

    /// Returns the text. Throws if a value could not be written or a number was not finite. Each container must have been ended.
    package consuming func finish() throws(JSONError) -> [UInt8] {
        precondition(depth == 0, "a container was not closed")
        if let failure { throw failure }
        guard let fault = firstNotFinite else { return bytes }
        throw JSONError([
            JSONIssue(
                code: .notFinite, pointer: pointer(toOffset: fault.offset), position: JSONPosition(offset: fault.offset, in: bytes),
                message: "the number \(fault.number) cannot be written")
        ])
    }

    /// Returns the pointer to an offset by parsing the output. Returns the root if that fails because a key was written
    /// twice.
    private func pointer(toOffset offset: Int) -> JSONPointer {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: bytes, limits: .ownOutput)
            let index = document.tape.entries.firstIndex { !$0.tag.isKey && Int($0.offset) == offset }
            return JSONNode(document: document, index: index ?? 0).pointer
        } catch {
            return .root
        }
    }

    @usableFromInline
    package mutating func startObject() { open(UInt8(ascii: "{")) }

    @usableFromInline
    package mutating func endObject() { end(UInt8(ascii: "}")) }

    @usableFromInline
    package mutating func startArray() { open(UInt8(ascii: "[")) }

    @usableFromInline
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the key of the next value.
    @usableFromInline
    package mutating func key(_ key: String) {
        if !isPretty, bytes.append(quotingPlain: key, afterComma: needsComma, asKey: true) {
            followsKey = true
            return
        }
        separate()
        bytes.append(quoting: key)
        endKey()
    }

    /// Writes an ID as the key of the next value.
    package mutating func key(_ id: UUID) {
        separate()
        append(quoting: id)
        endKey()
    }

    private mutating func endKey() {
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    @usableFromInline
    package mutating func null() { literal("null") }

    package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    @usableFromInline
    package mutating func string(_ value: String) {
        prepare()
        bytes.append(quoting: value)
    }

    @inlinable
    package mutating func integer(_ value: some FixedWidthInteger) {
        if let small = Int(exactly: value) { integer(small) } else { rendered(Array(String(value).utf8)) }
    }

    @usableFromInline
    mutating func integer(_ value: Int) {
        prepare()
        bytes.append(integer: value)
    }

    /// Writes the shortest text that reads back as the same double, in the notation of ECMAScript.
    package mutating func number(_ value: Double) {
        guard value.isFinite else {
            prepare()
            if firstNotFinite == nil { firstNotFinite = (bytes.count, value) }
            return bytes.append(contentsOf: "null".utf8)
        }
        prepare()
        bytes.append(number: value)
    }

    /// Writes a value that is already JSON, unchanged.
    @usableFromInline
    package mutating func rendered(_ fragment: some Collection<UInt8>) {
        prepare()
        bytes.append(contentsOf: fragment)
    }

    /// Writes a string in parts.
    package mutating func string(_ first: String, _ second: String, _ third: String) {
        prepare()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(escaping: first)
        bytes.append(escaping: second)
        bytes.append(escaping: third)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func string(_ id: UUID) {
        prepare()
        append(quoting: id)
    }

    private mutating func append(quoting id: UUID) {
        let text = id.text
        bytes.append(UInt8(ascii: "\""))
        bytes.append(copying: text.span)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string in parts.
    package mutating func string(_ first: String, _ id: UUID, _ last: String) {
        let text = id.text
        prepare()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(escaping: first)
        bytes.append(copying: text.span)
        bytes.append(escaping: last)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func literal(_ literal: String) {
        prepare()
        bytes.append(contentsOf: literal.utf8)
    }

    private mutating func open(_ bracket: UInt8) {
        prepare()
        bytes.append(bracket)
        needsComma = false
        depth += 1
    }

    private mutating func end(_ bracket: UInt8) {
        precondition(depth > 0 && !followsKey, "no container is open")
        depth -= 1
        if isPretty, needsComma { breakLine() }
        bytes.append(bracket)
        needsComma = true
    }

    /// Writes the separator before a value, unless the value follows its key.
    @inline(__always)
    private mutating func prepare() {
        if followsKey { followsKey = false } else { separate() }
        needsComma = true
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if isPretty, depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}

extension JSONWriter {
    /// Copies a value of a document with its descendants, without spaces and with the escapes of this writer. A number keeps
    /// its text. No string is created. The recursion is at most `JSONLimits.depth` deep.
    package mutating func value(copying node: JSONNode) {
        if let end = compactEnd(node.index, of: node.document) {
            prepare()
            node.document.append(node.offset..<end, to: &bytes)
        } else {
            _ = copy(node.index, of: node.document)
        }
    }

    /// Writes a member with a copied value, or nothing if the value is nil.
    package mutating func member(_ key: String, copying node: JSONNode?) {
        guard let node else { return }
        self.key(key)
        value(copying: node)
    }

    /// Copies a member of an object with its key, or nothing if it is absent or null.
    package mutating func member(copying key: String, of fields: inout JSONMemberSearch) {
        guard let value = fields.find(key) else { return }
        let document = fields.document
        if let end = compactEnd(value, of: document), let start = document.tape.compactKey(at: value - 1) {
            separate()
            document.append(start..<end, to: &bytes)
            needsComma = true
        } else {
            copyKey(value - 1, of: document)
            _ = copy(value, of: document)
        }
    }

    /// Copies the members of an object that has some.
    package mutating func members(copying object: JSONNode) {
        precondition(object.kind == .object && object.count > 0, "only an object with members can be copied into another one")
        let document = object.document
        if let end = compactEnd(object.index, of: document) {
            separate()
            document.append(object.offset + 1..<end - 1, to: &bytes)
            needsComma = true
        } else {
            var next = object.index + 1
            for _ in 0..<object.count { next = copyMember(next, of: document) }
        }
    }

    /// Writes the key of a member of a document as the key of the next value.
    package mutating func key(copying member: JSONMembers.Member) { copyKey(member.keyIndex, of: member.value.document) }

    /// Returns the end of a value in its source if it can be copied from there as it is, and nil otherwise.
    private func compactEnd(_ index: Int, of document: JSONDocument) -> Int? { isPretty ? nil : document.compactEnd(at: index) }

    /// Copies the value at an entry. Returns the entry after it.
    private mutating func copy(_ index: Int, of document: JSONDocument) -> Int {
        let entry = document.tape.entries[index]
        switch entry.tag {
        case .array:
            startArray()
            var next = index + 1
            for _ in 0..<entry.length { next = copy(next, of: document) }
            endArray()
            return next
        case .object:
            startObject()
            var next = index + 1
            for _ in 0..<entry.length { next = copyMember(next, of: document) }
            endObject()
            return next
        default:
            prepare()
            copyScalar(index, of: document)
            return index + 1
        }
    }

    /// Copies the member whose key is at an entry. Returns the entry after its value.
    private mutating func copyMember(_ index: Int, of document: JSONDocument) -> Int {
        copyKey(index, of: document)
        return copy(index + 1, of: document)
    }

    private mutating func copyKey(_ index: Int, of document: JSONDocument) {
        separate()
        copyScalar(index, of: document)
        endKey()
    }

    /// Copies a value without children or a key, with its quotes. Only a text with escapes is escaped again.
    private mutating func copyScalar(_ index: Int, of document: JSONDocument) {
        let entry = document.tape.entries[index]
        if entry.isEscaped {
            let start = Int(entry.link)
            bytes.append(quoting: Array(document.tape.unescaped[start..<start + Int(entry.length)]))
        } else {
            document.append(entry.range, to: &bytes)
        }
    }
}

extension JSONWriter {
    @inlinable
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        startObject()
        body(&self)
        endObject()
    }

    @inlinable
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        startArray()
        body(&self)
        endArray()
    }

    @inlinable
    package mutating func value(_ value: some JSONEncodable) { value.encode(to: &self) }

    @inlinable
    package mutating func member(_ key: String, _ value: some JSONEncodable) {
        self.key(key)
        value.encode(to: &self)
    }

    /// Writes a member, or nothing if the value is nil. `key(_:)` and `null()` write an explicit null.
    @inlinable
    package mutating func member<Value: JSONEncodable>(_ key: String, _ value: Value?) {
        guard let value else { return }
        member(key, value)
    }

    /// Writes a member, or nothing if the value is the default of its reader.
    @inlinable
    package mutating func member<Value: JSONEncodable & Equatable>(_ key: String, _ value: Value, unless absent: Value) {
        if value != absent { member(key, value) }
    }

    @inlinable
    package mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    /// Writes a member with an array. The closure writes each element.
    @inlinable
    package mutating func member<Elements: Sequence>(
        _ key: String, each elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        self.key(key)
        array { json in for element in elements { write(&json, element) } }
    }

    /// Writes a member that is already JSON, or nothing if it is nil.
    package mutating func member(_ key: String, rendered fragment: [UInt8]?) {
        guard let fragment else { return }
        self.key(key)
        rendered(fragment)
    }
}

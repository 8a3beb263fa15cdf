extension JSONWriter {
    /// Writes an object around what the closure writes.
    @inlinable
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes an array around what the closure writes.
    @inlinable
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
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

    /// Leaves the member out where there is no value; `key(_:)` and `null()` write an explicit null.
    @inlinable
    package mutating func member<Value: JSONEncodable>(_ key: String, _ value: Value?) {
        guard let value else { return }
        member(key, value)
    }

    /// Leaves the member out where the value is what its reader takes for absent.
    @inlinable
    package mutating func member<Value: JSONEncodable & Equatable>(_ key: String, _ value: Value, unless absent: Value) {
        if value != absent { member(key, value) }
    }

    @inlinable
    package mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }
}

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

    /// The value; throws where there is none.
    @inlinable
    package func callAsFunction() throws(JSONReadError) -> Value {
        guard let value else { throw JSONReadError() }
        return value
    }
}

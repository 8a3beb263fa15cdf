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

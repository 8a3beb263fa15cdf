package import JSON

/// A place that two people changed in different ways. Nil is where there is none.
package struct MergeConflict: Sendable, Equatable {
    /// In the merged document; of its list where the element is gone.
    package let pointer: JSONPointer
    package let base: JSONValue?
    /// What the merged document has.
    package let mine: JSONValue?
    package let theirs: JSONValue?
}

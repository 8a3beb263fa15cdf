/// One statement of `sql/queries`, ready to be prepared.
package struct NamedQuery: Sendable, Hashable {
    package let name: QueryName
    /// Without the comments around it and without the semicolon.
    package let text: String
    /// `$1` to this one all occur.
    package let parameters: Int
}

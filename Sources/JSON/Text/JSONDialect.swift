/// What is taken for JSON.
package enum JSONDialect: Sendable {
    /// RFC 8259 and nothing beside it.
    case strict
    /// As people keep it in files: with comments from `//` to the end of a line and from `/*` to `*/`, wherever a space may be, and with a comma
    /// behind the last element if they like.
    case commented
}

import TestSupport

extension Golden {
    /// Of the commands that edit.
    static func editing(_ name: String) -> Golden { Golden("curating/\(name)") }
}

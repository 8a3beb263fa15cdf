import TestSupport

extension Golden {
    /// Returns the golden file of an editing command.
    static func editing(_ name: String) -> Golden { Golden("curating/\(name)") }
}

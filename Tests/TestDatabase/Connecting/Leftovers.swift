/// What should be gone at the end of a test.
struct Leftovers: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What should be gone at the end of a test.
struct LeftBehind: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

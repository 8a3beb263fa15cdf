/// An error about resources that remain at the end of a test.
struct Leftovers: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

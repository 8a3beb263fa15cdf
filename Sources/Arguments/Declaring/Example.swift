/// A command line worth copying and what it does.
package struct Example: Sendable {
    package let line: String
    package let effect: String

    package init(_ line: String, _ effect: String) {
        self.line = line
        self.effect = effect
    }
}

/// What a command that answers from the tree alone is given besides its invocation.
struct Surroundings: Sendable {
    let environment: [String: String]
    let page: Page
}

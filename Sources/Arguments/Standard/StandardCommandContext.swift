/// What a command that answers from the tree alone is given besides its invocation.
struct StandardCommandContext: Sendable {
    let environment: [String: String]
    let page: TerminalPage
}

/// A shell for which a completion script is made.
package enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
}

/// What a shell may offer in place of a value whose choices are not listed.
package enum CompletionHint: Sendable {
    case none
    case files
    case directories
    /// Asks the world, for instance for live keys; gets the typed beginning and the line before it.
    case live(@Sendable (_ prefix: String, _ invocation: PartialInvocation) async -> [CompletionCandidate])
}

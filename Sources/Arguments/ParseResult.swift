/// What a command line asks for, decided without doing any of it.
package enum ParseResult: Sendable {
    /// Everything is in order: call the closure with the invocation.
    case run(Command.Run, Invocation)
    /// Print this on standard output and end with ``ExitCode/ok``: help, the version, a manual page or a completion script.
    case text(String)
    /// A shell asks what may stand at the cursor: print ``CompletionRequest/answer()``.
    case complete(CompletionRequest)
    /// Print ``UsageError/text`` on standard error and end with ``ExitCode/usage``.
    case usage(UsageError)
}

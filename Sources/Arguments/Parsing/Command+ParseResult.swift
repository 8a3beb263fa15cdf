extension Command {
    /// Parses a command line without running its command. `environment` provides values of options that name a variable
    /// and are not given.
    package func outcome(of arguments: [String], environment: [String: String] = [:], page: TerminalPage = TerminalPage()) -> ParseResult {
        var scanner = ArgumentScanner(root: self)
        for argument in arguments { scanner.consume(argument) }
        scanner.end()
        do throws(UsageError) {
            return try outcome(of: scanner, in: StandardCommandContext(environment: environment, page: page))
        } catch {
            return .usage(error)
        }
    }

    private func outcome(of scanner: ArgumentScanner, in surroundings: StandardCommandContext) throws(UsageError) -> ParseResult {
        let path = scanner.path
        guard !scanner.isLost else { throw UsageError(scanner.problems, commandPath: path.names) }
        if scanner.isHelpRequested { return .text(HelpPage(of: path, on: surroundings.page, isWhole: scanner.isFullHelpRequested).text) }
        if scanner.isVersionRequested { return outcome(of: ["version"]) }
        if !path.command.isRunnable, scanner.arguments.isEmpty {
            throw missingCommand(at: path, besides: scanner.problems, on: surroundings.page)
        }
        switch path.command.action {
        case .run(let run):
            return .run(run, try invocation(of: scanner, environment: surroundings.environment))
        case .standard(let respond):
            // Users often ask for help and completion when the environment is invalid or a required option is still
            // unknown.
            return try respond(try invocation(of: scanner, environment: [:], tolerating: .missingOption), surroundings)
        case .choose:
            throw UsageError(scanner.problems + ValueTable(scanner, environment: [:]).problems, commandPath: path.names)
        }
    }

    private func invocation(
        of scanner: ArgumentScanner, environment: [String: String], tolerating tolerated: UsageError.Problem.Code? = nil
    ) throws(UsageError) -> Invocation {
        let values = ValueTable(scanner, environment: environment)
        let problems = scanner.problems + values.problems.filter { $0.code != tolerated }
        guard problems.isEmpty else { throw UsageError(problems, commandPath: scanner.path.names) }
        return Invocation(scanner, values)
    }

    private func missingCommand(at path: CommandPath, besides problems: [UsageError.Problem], on page: TerminalPage) -> UsageError {
        let missing = UsageError.Problem(.missingCommand, "missing command after '\(path.names)'")
        let help = problems.isEmpty ? HelpPage(of: path, on: page).text : nil
        return UsageError(problems + [missing], commandPath: path.names, help: help)
    }
}

/// The result of parsing a command line.
package enum ParseResult: Sendable {
    case run(Command.Run, Invocation)
    /// A text to print on standard output before ending with ``ExitCode/ok``: help, the version, a manual page or a
    /// completion script.
    case text(String)
    /// A completion request of a shell. Print ``CompletionRequest/response()``.
    case complete(CompletionRequest)
    /// A usage error. Print ``UsageError/text`` on standard error and end with ``ExitCode/usage``.
    case usage(UsageError)
}

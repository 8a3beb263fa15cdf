extension Command {
    /// What a command line asks this root for.
    ///
    /// - Parameters:
    ///   - arguments: The words behind the program's name.
    ///   - environment: Consulted for options that name a variable and are not given.
    ///   - page: The sheet for help.
    /// - Returns: What to do, decided without doing any of it.
    package func outcome(of arguments: [String], environment: [String: String] = [:], page: Page = Page()) -> Outcome {
        var scanner = ArgumentScanner(root: self)
        for argument in arguments { scanner.take(argument) }
        scanner.end()
        do throws(UsageError) {
            return try outcome(of: scanner, in: Surroundings(environment: environment, page: page))
        } catch {
            return .usage(error)
        }
    }

    private func outcome(of scanner: ArgumentScanner, in surroundings: Surroundings) throws(UsageError) -> Outcome {
        let path = scanner.path
        guard !scanner.isLost else { throw UsageError(scanner.problems, commandPath: path.names) }
        if scanner.isHelpWanted { return .text(HelpPage(of: path, on: surroundings.page).text) }
        if scanner.isVersionWanted { return outcome(of: ["version"]) }
        let values = ValueTable(scanner, environment: surroundings.environment)
        if !path.command.isRunnable, scanner.operands.isEmpty {
            throw missingCommand(at: path, besides: scanner.problems, on: surroundings.page)
        }
        let problems = scanner.problems + values.problems
        guard problems.isEmpty else { throw UsageError(problems, commandPath: path.names) }
        let invocation = Invocation(scanner, values)
        switch path.command.action {
        case .run(let run): return .run(run, invocation)
        case .answer(let answer): return try answer(invocation, surroundings)
        case .choose: throw missingCommand(at: path, besides: [], on: surroundings.page)
        }
    }

    private func missingCommand(at path: CommandPath, besides problems: [UsageError.Problem], on page: Page) -> UsageError {
        let missing = UsageError.Problem(.missingCommand, "'\(path.names)' needs a command.")
        let help = problems.isEmpty ? HelpPage(of: path, on: page).text : nil
        return UsageError(problems + [missing], commandPath: path.names, help: help)
    }
}

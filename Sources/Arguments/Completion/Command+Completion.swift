extension Command {
    /// Creates the command that prints a shell's completion script. The script calls ``complete``, which must exist
    /// too.
    package static func completion(of program: String) -> Command {
        let shell = Argument("SHELL", .choice(of: Shell.self), "The shell.")
        return Command(
            standard: "completion", "Print a completion script",
            discussion: "The script calls the program for each completion, so it stays valid after an update.",
            examples: [
                Example(
                    "source <(\(program) completion bash)",
                    "Enable completion in this bash session. To enable completion in new sessions, add the line to ~/.bashrc."),
                Example(#"\#(program) completion zsh > "${fpath[1]}/_\#(program)""#, "Enable completion in every new zsh session."),
                Example(
                    "\(program) completion fish > ~/.config/fish/completions/\(program).fish",
                    "Enable completion in every new fish session."),
            ],
            arguments: [shell]
        ) { invocation, _ in
            .text(invocation[shell].script(completing: invocation.root.name))
        }
    }

    package static var complete: Command {
        let shell = Argument("SHELL", .choice(of: Shell.self), "The shell that sends the request.")
        let words = Argument(variadic: "WORD", .anyText, "The words before the cursor.")
        return Command(
            standard: "complete", "Respond to a request of a completion script", arguments: [shell, words], isHidden: true
        ) { invocation, surroundings in
            .complete(
                CompletionRequest(
                    root: invocation.root, shell: invocation[shell], arguments: invocation[words], environment: surroundings.environment))
        }
    }
}

extension Command {
    /// Creates the command that prints a shell's completion script. The script calls ``complete``, which must exist
    /// too.
    package static func completion(of program: String) -> Command {
        let shell = Argument("SHELL", .choice(of: Shell.self), "The shell to teach.")
        return Command(
            answering: "completion", "Prints the completion script of a shell.",
            discussion: "The script is short and asks the program itself what may follow, so it stays right when the program changes.",
            examples: [
                Example("source <(\(program) completion bash)", "Completes in this bash; put it into ~/.bashrc to keep it."),
                Example(#"\#(program) completion zsh > "${fpath[1]}/_\#(program)""#, "Completes in every zsh from now on."),
                Example("\(program) completion fish > ~/.config/fish/completions/\(program).fish", "Completes in every fish from now on."),
            ],
            operands: [shell]
        ) { invocation, _ in
            .text(invocation[shell].script(completing: invocation.root.name))
        }
    }

    package static var complete: Command {
        let shell = Argument("SHELL", .choice(of: Shell.self), "The shell that asks.")
        let words = Argument(variadic: "WORD", .anyText, "The words before the cursor.")
        return Command(
            answering: "complete", "Answers a completion script.", operands: [shell, words], isHidden: true
        ) { invocation, surroundings in
            .complete(
                CompletionRequest(
                    root: invocation.root, shell: invocation[shell], words: invocation[words], environment: surroundings.environment))
        }
    }
}

internal import Arguments
internal import Host

/// A question was to be asked where nobody can answer it.
struct ConfirmationRequired: Error {
    let question: String
    /// The flag by which it is answered beforehand.
    let flag: String
}

extension Console {
    /// For commands that ask before they do what cannot be taken for granted.
    static let agreement = Option(flag: "yes", short: "y", "Does it without asking.")

    /// For commands that can be tried beforehand.
    static let dryRun = Option(flag: "dry-run", "Tells what would be done, and does nothing.")

    /// Whether a person will be asked: where standard input and standard error are terminals, and nowhere else.
    func asks(_ invocation: Invocation) -> Bool { !invocation[Self.agreement] && canAsk }

    private var canAsk: Bool { StandardStream.input.isTerminal && StandardStream.errors.isTerminal }

    /// Whether a person agrees to what was just told.
    func agrees(to question: String, _ invocation: Invocation) throws(ConfirmationRequired) -> Bool {
        if invocation[Self.agreement] { return true }
        guard canAsk else {
            throw ConfirmationRequired(question: question, flag: "--yes")
        }
        say("\(question) [y/N] ")
        let answer = StandardStream.typedLine(letting: Signal.stopping)
        if answer == nil { say("\n") }
        let isYes = ["y", "yes"].contains(answer?.lowercased() ?? "")
        if !isYes { say("Nothing was changed.\n") }
        return isYes
    }
}

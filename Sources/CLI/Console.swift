package import Arguments
package import Host

/// Where a command speaks: data on standard output, everything else on standard error.
package struct Console: Sendable {
    /// The program as it was called, so that what is suggested can be copied.
    package let program: String
    package let environment: [String: String]

    package init(program: String, environment: [String: String]) {
        self.program = program
        self.environment = environment
    }

    /// As wide as the terminal, in colour where it is one and `NO_COLOR` is not set.
    package func page(for stream: StandardStream) -> TerminalPage {
        TerminalPage(width: stream.width ?? 80, isColored: isColored(stream))
    }

    func isColored(_ stream: StandardStream) -> Bool {
        stream.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    package func print(_ text: String) throws(HostError) { try StandardStream.output.write(text) }

    /// Where even standard error cannot be written to, nobody is there to be told.
    package func say(_ text: String) {
        do throws(HostError) { try StandardStream.errors.write(text) } catch {}
    }

    /// Says what went wrong and, on lines of its own, what to do.
    func complain(_ message: String, advice: String) {
        say("error: \(message)\n" + advice.split(separator: "\n").map { "  \($0)\n" }.joined())
    }
}

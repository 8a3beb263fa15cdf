package import Arguments
internal import EmbeddedPostgres
package import Host
internal import Security
internal import Server
internal import Settings
internal import Sync
internal import Values

/// The output of a command: data on standard output, everything else on standard error.
package struct Console: Sendable {
    /// The program's name as it was called, so that suggested commands can be copied.
    package let program: String
    package let environment: [String: String]

    package init(program: String, environment: [String: String]) {
        self.program = program
        self.environment = environment
    }

    /// Returns the page for a stream: as wide as the terminal, in color if it is a terminal and `NO_COLOR` is not set.
    package func page(for stream: StandardStream) -> TerminalPage {
        TerminalPage(width: stream.width ?? 80, isColored: isColored(stream))
    }

    func isColored(_ stream: StandardStream) -> Bool {
        stream.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    package func print(_ text: String) throws(HostError) { try StandardStream.output.write(text) }

    /// A failure is ignored: if standard error cannot be written, there is no other way to report it.
    package func printStatus(_ text: String) {
        do throws(HostError) { try StandardStream.errors.write(text) } catch {}
    }

    /// Prints an error: its message, the details indented below it, and each line of the advice as a hint.
    func printError(_ message: String, details: [String] = [], advice: String) {
        let error = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable() }
        let details = details.map { "  \($0.printable())\n" }
        let hints = advice.split(separator: "\n").map { "hint: \(String($0).printable())\n" }
        printStatus("error: \(error.joined(separator: "\n"))\n" + details.joined() + hints.joined())
    }
}

/// An error thrown if a command must ask for confirmation and cannot.
struct ConfirmationRequired: Error {
    let prompt: String
    /// The flag that confirms in advance.
    let flag: String
}

extension Console {
    static let agreement = Option(flag: "yes", short: "y", "Skip the confirmation.")

    static let dryRun = Option(flag: "dry-run", "Show the changes without making them.")

    /// The note after a dry run.
    static let noChanges = "Dry run: no changes made.\n"

    /// Whether the command asks the user. It asks only if standard input and standard error are terminals.
    func needsConfirmation(_ invocation: Invocation) -> Bool { !invocation[Self.agreement] && canAsk }

    private var canAsk: Bool { StandardStream.input.isTerminal && StandardStream.errors.isTerminal }

    func confirm(_ prompt: String, _ invocation: Invocation) throws(ConfirmationRequired) -> Bool {
        if invocation[Self.agreement] { return true }
        guard canAsk else {
            throw ConfirmationRequired(prompt: prompt, flag: "--yes")
        }
        printStatus("\(prompt) [y/N] ")
        let response = StandardStream.typedLine(letting: Signal.stopping)
        if response == nil { printStatus("\n") }
        let isYes = ["y", "yes"].contains(response?.lowercased() ?? "")
        if !isYes { printStatus("Canceled.\n") }
        return isYes
    }
}

extension Console {
    /// Whether a line on standard error can be overwritten to show progress.
    var rewritesLine: Bool { StandardStream.errors.isTerminal && environment["TERM"] != "dumb" }

    /// Overwrites the last line of a terminal. Does nothing elsewhere.
    func rewriteLine(_ text: (_ width: Int) -> String) {
        if rewritesLine { printStatus("\r\u{1B}[K" + text(StandardStream.errors.width ?? 80)) }
    }

    func clearLine() { rewriteLine { _ in "" } }
}

extension Console {
    /// Prints the result of a command that follows from the command tree alone.
    package func printResult(_ text: String) -> ExitCode {
        do throws(HostError) {
            try print(text)
            return .ok
        } catch {
            printError("\(error)", advice: "")
            return .failed
        }
    }

    /// Runs a command and returns its exit code. Errors are reported only here.
    package func run(_ command: Command.Run, _ invocation: Invocation) async -> ExitCode {
        do {
            return try await command(invocation)
        } catch let error as UsageError {
            printStatus(error.text)
            return error.exitCode
        } catch let error as SettingsError {
            printStatus(error.text(commandPath: invocation.commandPath))
            return error.exitCode
        } catch let error as ClusterError {
            if error.code == .interrupted { return .interrupted }
            printError(error.message, advice: error.advice)
            return error.exitCode
        } catch let error as DatabaseFailure {
            printError(error.message, details: error.details, advice: error.advice)
            return error.exitCode
        } catch let error as RemoteError {
            printError(error.message, details: error.details, advice: error.advice)
            return error.exitCode
        } catch is RemoteSession.Interruption {
            return .interrupted
        } catch let error as ConfirmationRequired {
            printError("cannot ask for confirmation without a terminal: \(error.prompt)", advice: "confirm with '\(error.flag)'")
            return .usage
        } catch is CursorCodec.NoKeys {
            printError(
                "missing setting 'sync.keys': the server needs a key to sign sync cursors",
                advice: "create a key for all servers with 'vitrine sync keys', and name its file in VITRINE_SYNC_KEYS_FILE")
            return .invalid
        } catch let error as TLSError {
            printError(
                "cannot set up TLS: \(error)", advice: "set tls.certificate and tls.key to the PEM files of one certificate and its key")
            return .invalid
        } catch let error as HostError where error.code == .addressInUse {
            printError(
                "\(error)",
                advice: "stop the other process, choose another address with --listen, or start both processes with --share-port")
            return .conflict
        } catch let error as HostError where error.operation == "listen on" {
            let isForbidden = error.code == .accessDenied || error.code == .notPermitted
            printError(
                "\(error)",
                advice: "choose another address with --listen\(isForbidden ? ", or inherit the socket from a service manager" : "")")
            return isForbidden ? .notAllowed : .invalid
        } catch {
            printError("\(error)", advice: "")
            return .failed
        }
    }
}

extension ClusterError {
    fileprivate var exitCode: ExitCode {
        switch code {
        case .inUse, .unclearOwner, .socketInUse: .conflict
        case .unreachableFolder, .unwritableFolder: .notAllowed
        case .noServerBinaries, .notACluster, .serverEnded, .wrongMajorVersion, .socketPathRefused, .diskFull, .initializationFailed,
            .startFailed,
            .startTimedOut, .stopFailed, .system:
            .failed
        case .interrupted: .interrupted
        }
    }
}

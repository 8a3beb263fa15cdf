package import Commands
internal import PrivatePostgres
internal import Settings

extension Console {
    /// Runs a command to its exit code; a failure that reaches this border is explained once, here.
    package func run(_ command: Command.Run, _ invocation: Invocation) async -> ExitCode {
        do {
            return try await command(invocation)
        } catch let error as UsageError {
            say(error.text)
            return error.exitCode
        } catch let error as SettingsMistakes {
            say("\(error)\n")
            return .invalid
        } catch let error as ClusterError {
            if error.code == .interrupted { return .interrupted }
            complain(error.message, advice: error.advice)
            return error.exitCode
        } catch {
            complain("\(error)", advice: "")
            return .failed
        }
    }
}

extension ClusterError {
    fileprivate var exitCode: ExitCode {
        switch code {
        case .inUse, .unclearOwner, .socketInUse: .conflict
        case .unreachableFolder, .unwritableFolder: .notAllowed
        case .noServerBinaries, .notACluster, .wrongMajorVersion, .socketPathTooLong, .diskFull, .initializationFailed, .startFailed,
            .startTimedOut, .stopFailed, .system:
            .failed
        case .interrupted: .interrupted
        }
    }
}

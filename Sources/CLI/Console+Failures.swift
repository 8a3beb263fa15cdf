package import Arguments
internal import EmbeddedPostgres
internal import Host
internal import Security
internal import Server
internal import Settings
internal import Sync

extension Console {
    /// Prints what the command tree knew by itself.
    package func answer(_ text: String) -> ExitCode {
        do throws(HostError) {
            try print(text)
            return .ok
        } catch {
            complain("\(error)", advice: "")
            return .failed
        }
    }

    /// Runs a command to its exit code; a failure that reaches this border is explained once, here.
    package func run(_ command: Command.Run, _ invocation: Invocation) async -> ExitCode {
        do {
            return try await command(invocation)
        } catch let error as UsageError {
            say(error.text)
            return error.exitCode
        } catch let error as SettingsError {
            say("\(error)\n")
            return .invalid
        } catch let error as ClusterError {
            if error.code == .interrupted { return .interrupted }
            complain(error.message, advice: error.advice)
            return error.exitCode
        } catch let error as DatabaseFailure {
            complain(error.message, advice: error.advice)
            return error.exitCode
        } catch let error as RemoteError {
            complain(error.message, advice: error.advice)
            return error.exitCode
        } catch let error as ConfirmationRequired {
            complain("nobody can be asked: \(error.question)", advice: "Say so beforehand with \(error.flag).")
            return .usage
        } catch is CursorCodec.NoKeys {
            complain(
                "there is no key for the cursors of sync",
                advice: "Make one by vitrine sync keys, for all servers of this database, and name its file in VITRINE_SYNC_KEYS_FILE.")
            return .invalid
        } catch let error as TLSError {
            complain("cannot encrypt with \(error)", advice: "Correct tls.certificate and tls.key: two files of PEM that belong together.")
            return .invalid
        } catch let error as HostError where error.code == .addressInUse {
            complain(
                "\(error)",
                advice: "Another process listens there. End it, choose another place by --listen, or share it by --share-port on both.")
            return .conflict
        } catch let error as HostError where error.operation == "listen on" {
            let isForbidden = error.code == .accessDenied || error.code == .notPermitted
            complain("\(error)", advice: "Choose another place by --listen\(isForbidden ? ", or have the socket handed over" : "").")
            return isForbidden ? .notAllowed : .invalid
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
        case .noServerBinaries, .notACluster, .serverEnded, .wrongMajorVersion, .socketPathRefused, .diskFull, .initializationFailed,
            .startFailed,
            .startTimedOut, .stopFailed, .system:
            .failed
        case .interrupted: .interrupted
        }
    }
}

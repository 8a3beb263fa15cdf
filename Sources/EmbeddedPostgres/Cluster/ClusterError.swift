package import Host

/// The reason why the embedded cluster is not running, with a remedy. The data was not changed.
package struct ClusterError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case noServerBinaries, wrongMajorVersion, notACluster, socketPathRefused, socketInUse, unreachableFolder, unwritableFolder
        case inUse, unclearOwner, serverEnded, diskFull, initializationFailed, startFailed, startTimedOut, stopFailed, interrupted, system
    }

    package let code: Code
    package let message: String
    package let advice: String

    package init(_ code: Code, _ message: String, advice: String) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    /// Describes a system error, with specific advice if the disk is full or a permission is missing.
    package init(_ error: HostError, at directory: String) {
        switch error.code {
        case .noSpace: self = .diskFull(at: directory)
        case .accessDenied, .notPermitted, .readOnlyFileSystem:
            self.init(
                .unwritableFolder, "\(error)",
                advice: "Grant \(User.current.name) access to it, or choose another folder with --postgres-directory.")
        default: self.init(.system, "\(error)", advice: "Fix this, or choose another folder with --postgres-directory.")
        }
    }

    static func diskFull(at directory: String) -> ClusterError {
        let free = Files.freeSpace(at: directory).map { " (\($0 / 1_048_576) MB free)" } ?? ""
        return ClusterError(
            .diskFull, "the disk of \(directory) is full\(free)",
            advice: "Free at least 256 MB and start again. No committed data is lost.")
    }

    package var description: String { "\(message)\n\(advice)" }
}

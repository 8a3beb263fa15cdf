import Host

/// The log of a server's start, from which the reason of a failure is determined.
struct StartupLog {
    private let text: String

    init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    private func says(_ message: String) -> Bool { text.utf8.contains(message.utf8) }

    /// Whether processes of a killed server still hold its shared memory. They end automatically after a short time.
    var blamesLeftovers: Bool { says("pre-existing shared memory block") }

    var hasError: Bool { says("ERROR:") || says("FATAL:") || says("PANIC:") }

    /// Returns the explanation of a failed step, or the log's last lines if the cause is unknown.
    func explanation(at paths: ClusterPaths, during code: ClusterError.Code = .startFailed) -> ClusterError {
        // On a full disk, the log itself may be incomplete.
        let isFull = Files.freeSpace(at: paths.directory).map { $0 < 1 << 20 } ?? false
        if isFull || says("No space left on device") || says("Disk quota exceeded") || says("Check free disk space") {
            return .diskFull(at: paths.directory)
        }
        if says("could not bind Unix address") || says("is already in use") || says(".lock\" already exists") {
            return ClusterError(
                .socketInUse, "another server listens on the socket \(paths.socket)",
                advice: "Stop that server, or choose another folder for the socket with --postgres-socket-directory.")
        }
        if says("database files are incompatible with server") {
            return ClusterError(
                .wrongMajorVersion, "the cluster in \(paths.data) was created by another version of PostgreSQL",
                advice: "Choose the server that created it with --postgres-bin-directory.")
        }
        return ClusterError(
            code, (code == .startFailed ? "PostgreSQL did not start" : "the cluster could not be created") + lastLines,
            advice: "The full log is \(paths.log).")
    }

    var lastLines: String {
        let lines = text.split(separator: "\n").suffix(4)
        return lines.isEmpty ? "" : ":\n" + lines.map { "    \($0)" }.joined(separator: "\n")
    }
}

extension Collection<UInt8> {
    fileprivate func contains(_ other: some Collection<UInt8>) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}

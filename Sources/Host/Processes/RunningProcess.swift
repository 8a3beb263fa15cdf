internal import Glibc

/// The state of any process of this machine, from Linux's `/proc`.
package struct RunningProcess: Sendable, Equatable {
    package let id: Int32
    /// The short name of its program.
    package let name: String
    package let arguments: [String]
    /// The working directory. nil if this process may not read it.
    package let workingDirectory: String?

    /// Returns nil if the process does not run. A zombie process does not run.
    package init?(id: Int32) {
        do throws(HostError) {
            // "1234 (the name) S …": the name may contain any character, so it ends at the last parenthesis.
            let line = try Files.read("/proc/\(id)/stat")
            guard let start = line.firstIndex(of: UInt8(ascii: "(")), let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let state = line[end...].dropFirst(2).first
            guard start < end, state != UInt8(ascii: "Z"), state != UInt8(ascii: "X") else { return nil }
            name = String(decoding: line[start..<end].dropFirst(), as: UTF8.self)
            let parts = try Files.read("/proc/\(id)/cmdline").split(separator: 0)
            arguments = parts.map { String(decoding: $0, as: UTF8.self) }
        } catch {
            return nil
        }
        self.id = id
        workingDirectory = Path.target(ofLink: "/proc/\(id)/cwd")
    }

    package init(id: Int32, name: String, arguments: [String], workingDirectory: String?) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.workingDirectory = workingDirectory
    }

    /// Sends a signal. A process that has already ended is not an error.
    package static func send(_ signal: Signal, to id: Int32) throws(HostError) {
        try deliver(signal, to: id)
    }

    /// Sends a signal to a process with its own session and to all processes of its group.
    package static func send(_ signal: Signal, toSessionOf id: Int32) throws(HostError) { try deliver(signal, to: -id) }

    private static func deliver(_ signal: Signal, to id: Int32) throws(HostError) {
        guard kill(id, signal.number) == 0 || errno == ESRCH else { throw HostError(errnoOf: "signal", "process \(id)") }
    }
}

internal import Host
internal import Values

extension HostError {
    /// Returns the message about a file that the user named.
    func message() -> String {
        code == .notFound ? "file '\(subject.printable(limit: 80))' does not exist" : "\(self)"
    }
}

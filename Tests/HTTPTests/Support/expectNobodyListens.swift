import Host
import Testing

/// Tries until nobody takes a connection. A program that another test starts may have the listener for as long as that takes.
func expectNobodyListens(on port: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for _ in 0..<1_000 {
        do { _ = try RawClient(port: port) } catch is HostError { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("port \(port) still takes connections", sourceLocation: sourceLocation)
}

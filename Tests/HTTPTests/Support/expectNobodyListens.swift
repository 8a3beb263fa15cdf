import Host
import Testing

/// Tries until nobody takes a connection. A program that another test starts may have the listener for as long as that takes.
///
/// Each loop has a listener of its own: one that is just being closed refuses a connection while the others still take some.
func expectNobodyListens(on port: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    var refusals = 0
    for _ in 0..<1_000 {
        do {
            _ = try RawClient(port: port)
            refusals = 0
        } catch is HostError {
            refusals += 1
            if refusals == 5 { return }
        }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("port \(port) still takes connections", sourceLocation: sourceLocation)
}

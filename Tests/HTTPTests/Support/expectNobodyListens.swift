import Host
import TestSupport
import Testing

/// Retries until the port refuses connections. A child process of another test may hold the listener for a short time.
///
/// Each event loop has its own listener: one may refuse a connection while the others still accept some.
func expectNobodyListens(on port: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    var rejections = 0
    for _ in 0..<1_000 {
        do {
            _ = try RawClient(port: port)
            rejections = 0
        } catch is HostError {
            rejections += 1
            if rejections == 5 { return }
        }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("port \(port) still takes connections", sourceLocation: sourceLocation)
}

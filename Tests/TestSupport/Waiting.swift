package import Testing

/// Waits for as long as a condition holds, and looks at it each millisecond; records an issue after a minute.
package func wait(
    while condition: @autoclosure () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
    let end = ContinuousClock.now + .seconds(60)
    while try await condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else {
            Issue.record("The condition still holds after a minute, or the task was cancelled.", sourceLocation: sourceLocation)
            return
        }
        // A cancelled task sleeps no longer, and looks once more.
        do { try await Task.sleep(for: .milliseconds(1)) } catch { continue }
    }
}

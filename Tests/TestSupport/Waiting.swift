package import Testing

/// Returns the whole seconds since a time. A test adds to a limit what happens in each second that it takes, so that it passes on a slow
/// machine without a higher limit on a fast one.
package func wholeSeconds(since time: ContinuousClock.Instant) -> Int { Int(time.duration(to: .now).components.seconds) }

/// Waits while a condition is true, and checks it each millisecond. Records an issue after a minute.
package func wait(
    while condition: @autoclosure () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
    let end = ContinuousClock.now + .seconds(60)
    while try await condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else {
            Issue.record("The condition still holds after a minute, or the task was cancelled.", sourceLocation: sourceLocation)
            return
        }
        // A canceled task no longer sleeps, and checks once more.
        do { try await Task.sleep(for: .milliseconds(1)) } catch { continue }
    }
}

import EventLoop
import Testing

/// Expects a wait to end with an error of this code.
func expectEnd<Result>(
    _ code: EventLoopError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    of wait: () async throws(EventLoopError) -> Result
) async {
    do throws(EventLoopError) {
        _ = try await wait()
        Issue.record("no error, instead of \(code)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}

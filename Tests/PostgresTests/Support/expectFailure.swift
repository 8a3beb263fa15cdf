import Postgres
import Testing

/// Expects a database error with this code and returns it.
@discardableResult
func expectFailure<Result>(
    _ code: PostgresError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    of call: () async throws(PostgresError) -> Result
) async -> PostgresError? {
    do throws(PostgresError) {
        _ = try await call()
        Issue.record("no error, instead of \(code)", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    }
}

import Arguments
import Postgres
import Settings
import Testing

@testable import CLI

@Suite("The message of a database failure")
struct DatabaseFailureTests {
    @Test(
        "The message distinguishes a server without resources from an unreachable one",
        arguments: [("53200", false), ("53100", false), ("53300", true), ("57P03", true), ("08006", true)])
    func room(state: String, isAway: Bool) throws {
        let url = try DatabaseURL(parsing: "postgresql://curator@db.example/shop")
        let failure = DatabaseFailure(PostgresError(.refused, "told by the server", sqlState: SQLState(rawValue: state)), at: url)
        #expect(failure.message.hasPrefix("cannot reach") == isAway && (failure.exitCode == .unreachable) == isAway)
    }
}

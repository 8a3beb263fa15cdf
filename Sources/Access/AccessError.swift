package import Postgres

/// An error of the token, audit and idempotency stores.
package struct AccessError: Error, Sendable, Equatable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let tokenNameTaken = Code(rawValue: "name_taken")
        package static let invalidTokenName = Code(rawValue: "bad_name")
        /// The expiry of the token is not after its creation, or is infinite.
        package static let invalidTokenLifetime = Code(rawValue: "bad_lifetime")
        package static let database = Code(rawValue: "database")
    }

    package let code: Code
    package let message: String
    package let help: String
    package let underlying: PostgresError

    init(_ error: PostgresError) {
        underlying = error
        (code, message, help) =
            switch error.constraint {
            case "tokens_name_key":
                (.tokenNameTaken, "a token with this name exists", "Choose another name, or revoke the existing token first.")
            case "tokens_name_check":
                (
                    .invalidTokenName, "the token name is invalid",
                    "Use up to 80 characters: letters, digits, spaces, '.', '_', '@' and '-'. Start and end with a letter or a digit."
                )
            case "tokens_expires_at_check": (.invalidTokenLifetime, "the token would expire immediately", "Choose a longer lifetime.")
            default: (.database, error.description, "Check the server log.")
            }
    }
}

extension AccessError {
    init(lacking query: NamedQuery) {
        self.init(PostgresError(.undecodable, "a row is missing", query: query.name.description))
    }
}

extension PostgresSession {
    /// Runs a query and throws its error as an ``AccessError``.
    @discardableResult
    func queryResult(_ query: PostgresQuery) async throws(AccessError) -> PostgresResult {
        do throws(PostgresError) { return try await run(query) } catch { throw AccessError(error) }
    }

    func queryResults<each Column: PostgresDecodable>(
        to query: PostgresQuery, as columns: repeat (each Column).Type
    ) async throws(AccessError) -> [(repeat each Column)] {
        do throws(PostgresError) { return try await rows(of: query, as: repeat each columns) } catch { throw AccessError(error) }
    }
}

extension AccessError: CustomStringConvertible {
    package var description: String { "\(message). \(help)" }
}

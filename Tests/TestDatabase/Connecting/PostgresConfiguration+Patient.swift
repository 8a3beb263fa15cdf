package import Postgres
internal import Settings

extension PostgresConfiguration {
    /// For a session of the tests. Deadlines are the tests' own; on a busy machine the server's and the product's would come first.
    package static func patient(_ url: DatabaseURL) -> Self {
        var configuration = Self(url: url)
        configuration.connectTimeout = .seconds(60)
        configuration.statementTimeout = .seconds(60)
        configuration.lockTimeout = .seconds(60)
        configuration.idleInTransactionTimeout = .seconds(60)
        configuration.cancelGrace = .seconds(30)
        return configuration
    }
}

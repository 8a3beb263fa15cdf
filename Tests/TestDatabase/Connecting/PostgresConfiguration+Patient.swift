package import Postgres
internal import Settings

extension PostgresConfiguration {
    /// Returns the configuration of a test session. Its timeouts are so long that the deadlines of the tests come first, even on a busy
    /// machine.
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

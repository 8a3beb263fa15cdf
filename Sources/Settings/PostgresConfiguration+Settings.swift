package import Postgres

extension PostgresConfiguration {
    /// Connects to the URL within the timeouts of the settings.
    package init(_ url: DatabaseURL, _ settings: Settings) {
        self.init(url: url)
        connectTimeout = settings.timeouts.connect
        statementTimeout = settings.timeouts.statement
    }
}

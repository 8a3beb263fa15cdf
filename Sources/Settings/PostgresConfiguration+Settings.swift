package import Postgres

extension PostgresConfiguration {
    package init(_ url: DatabaseURL, _ settings: Settings) {
        self.init(url: url)
        connectTimeout = settings.timeouts.connect
        statementTimeout = settings.timeouts.statement
    }
}

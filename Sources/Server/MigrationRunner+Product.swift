package import Postgres
internal import SQLFiles
internal import Security

extension MigrationRunner {
    /// The migrations that this program was built with.
    package static func product() throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(SQLFiles.migrations, digest: Digest.sha256))
    }
}

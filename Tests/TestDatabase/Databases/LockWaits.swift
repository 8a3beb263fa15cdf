/// The sessions that wait for a lock in the current database. Unlike `pg_stat_activity`, the result is current within a transaction too.
/// A session that waits for another transaction holds locks that name the database.
package enum LockWaits {
    package static let sql = """
        SELECT pid::text FROM pg_locks AS waits WHERE NOT granted AND EXISTS (
            SELECT FROM pg_locks AS held JOIN pg_database ON pg_database.oid = held.database
            WHERE held.pid = waits.pid AND datname = current_database())
        """
}

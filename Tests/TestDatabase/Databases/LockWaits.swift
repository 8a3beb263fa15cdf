/// Who waits for a lock in the database that is asked, and no other of the same server. Unlike `pg_stat_activity` it is looked at anew within a
/// transaction; who waits for another transaction holds locks that name the database.
package enum LockWaits {
    package static let sql = """
        SELECT pid::text FROM pg_locks AS waits WHERE NOT granted AND EXISTS (
            SELECT FROM pg_locks AS held JOIN pg_database ON pg_database.oid = held.database
            WHERE held.pid = waits.pid AND datname = current_database())
        """
}

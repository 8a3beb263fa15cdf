/// What a run of migrations says to the server besides the migrations.
///
/// On one connection, which must not be replaced by another while the lock is held: `setTimeouts` with the patience for another run, then
/// `tryLock` and, where that is held elsewhere, `lock`; `setTimeouts` with the patience for a table; `createBookkeeping` in a transaction
/// unless `hasBookkeeping`, `completeBookkeeping` unless `isBookkeepingComplete`; `recorded`, from which the plan is made. Then each migration in a transaction of its own, `setSearchPath`
/// in front of it and `record` behind it; and `unlock`. Whoever only looks asks `hasBookkeeping` and `recorded`.
package enum MigrationStatements {
    /// A row with a truth value.
    package static let tryLock = NamedQuery("migrations.try_lock")
    package static let lock = NamedQuery("migrations.lock")
    package static let unlock = NamedQuery("migrations.unlock")
    /// `$1`: the lock timeout as a text such as `5s`.
    package static let setTimeouts = NamedQuery("migrations.set_timeouts")
    /// A row with a truth value.
    package static let hasBookkeeping = NamedQuery("migrations.has_bookkeeping")
    package static let createBookkeeping: [NamedQuery] = [
        NamedQuery("migrations.create_bookkeeping_schema"), NamedQuery("migrations.create_bookkeeping"),
    ]
    /// A row with a truth value: whether the table has every column.
    package static let isBookkeepingComplete = NamedQuery("migrations.is_bookkeeping_complete")
    package static let completeBookkeeping = NamedQuery("migrations.complete_bookkeeping")
    /// Rows of number (int4), name (text), checksum (bytea), moment (timestamptz), microseconds (int8) and a truth value.
    package static let recorded = NamedQuery("migrations.recorded")
    package static let setSearchPath = NamedQuery("migrations.set_search_path")
    /// `$1`: number (int4), `$2`: name (text), `$3`: checksum (bytea), `$4`: whether it breaks older programs (bool).
    package static let record = NamedQuery("migrations.record")
}

/// What a run of migrations says to the server besides the migrations.
///
/// On one connection, which must not be replaced by another while the lock is held: `setTimeouts` with the patience for another run, then
/// `tryLock` and, where that is held elsewhere, `lock`; `setTimeouts` with the patience for a table; `createBookkeeping` in a transaction
/// unless `hasBookkeeping`, `completeBookkeeping` unless `isBookkeepingComplete`; `recorded`, from which the plan is made. Then each migration in a transaction of its own, `setSearchPath`
/// in front of it and `record` behind it; and `unlock`. Whoever only looks asks `hasBookkeeping` and `recorded`.
package struct MigrationStatements: Sendable {
    /// A row with a truth value.
    package let tryLock: NamedQuery
    package let lock: NamedQuery
    package let unlock: NamedQuery
    /// `$1`: the lock timeout as a text such as `5s`.
    package let setTimeouts: NamedQuery
    /// A row with a truth value.
    package let hasBookkeeping: NamedQuery
    package let createBookkeeping: [NamedQuery]
    /// A row with a truth value: whether the table has every column.
    package let isBookkeepingComplete: NamedQuery
    package let completeBookkeeping: NamedQuery
    /// Rows of number (int4), name (text), checksum (bytea), moment (timestamptz), microseconds (int8) and a truth value.
    package let recorded: NamedQuery
    package let setSearchPath: NamedQuery
    /// `$1`: number (int4), `$2`: name (text), `$3`: checksum (bytea), `$4`: whether it breaks older programs (bool).
    package let record: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        tryLock = try library.query("migrations.try_lock")
        lock = try library.query("migrations.lock")
        unlock = try library.query("migrations.unlock")
        setTimeouts = try library.query("migrations.set_timeouts")
        hasBookkeeping = try library.query("migrations.has_bookkeeping")
        createBookkeeping = [
            try library.query("migrations.create_bookkeeping_schema"), try library.query("migrations.create_bookkeeping"),
        ]
        isBookkeepingComplete = try library.query("migrations.is_bookkeeping_complete")
        completeBookkeeping = try library.query("migrations.complete_bookkeeping")
        recorded = try library.query("migrations.recorded")
        setSearchPath = try library.query("migrations.set_search_path")
        record = try library.query("migrations.record")
    }
}

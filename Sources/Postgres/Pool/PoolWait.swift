/// How far a request for a connection has come.
enum PoolWait {
    typealias Answer = Result<PoolMember, PostgresError>

    /// Nobody waits for the answer yet.
    case asked
    case waiting(CheckedContinuation<Answer, Never>)
    case answered(Answer)
}

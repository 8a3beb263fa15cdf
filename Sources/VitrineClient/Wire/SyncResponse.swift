/// What came of a question.
public enum SyncResponse: Sendable {
    /// `retryAfter` is in seconds.
    case answer(status: Int, retryAfter: Int?, body: [UInt8])
    /// Nothing came, for a reason in words.
    case unreachable(String)
}

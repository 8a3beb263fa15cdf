/// A protocol that is spoken on a connection; it appends what is to be sent to the outbox of the loop.
protocol Codec: AnyObject {
    func receive(_ bytes: Span<UInt8>)
    /// The client will say nothing more.
    func receiveEnd()
    /// The time for what the connection waits for is over.
    func timeOut()
    /// The client has taken all that was to be sent.
    func backlogEmptied()
    /// Is to end as soon as what was begun is answered.
    func drain()
    /// The connection is gone.
    func closed()
}

internal import EventLoop

/// Decides when the memory of ended handshakes returns to the system.
///
/// Each handshake has about 40 KB of buffers. After a burst of handshakes, malloc keeps the gaps between the sessions that stay. The
/// return stops the loop for some milliseconds, so it follows only a burst that is over, and at most once a minute.
struct HandshakeMemory {
    /// The number of connections of a burst.
    static let burst = 256
    /// The number of connections in an interval from which the burst continues.
    static let ongoing = 16
    static let interval = Duration.milliseconds(200)
    /// The time after which a burst is over. Clients that connect once a second may belong to the same burst.
    static let quiet = Duration.seconds(2)
    static let pause = Duration.seconds(60)

    private var returned = 0
    private var last = 0
    private var checked: Deadline?
    private var end = Deadline.never
    private var next: Deadline?

    /// `accepted` is the number of all connections that the server has accepted. Calls within `interval` of the last one change nothing,
    /// so that each loop can ask.
    mutating func shouldReturn(after accepted: Int, at now: Deadline) -> Bool {
        guard checked.map({ $0.advanced(by: Self.interval) <= now }) ?? true else { return false }
        checked = now
        let isOngoing = accepted - last >= Self.ongoing
        last = accepted
        if isOngoing { end = now.advanced(by: Self.quiet) }
        guard accepted - returned >= Self.burst, end <= now, next.map({ $0 <= now }) ?? true else { return false }
        returned = accepted
        end = .never
        next = now.advanced(by: Self.pause)
        return true
    }
}

internal import Host
internal import Values

/// The value of the Date field, written anew once a second.
struct CachedDateHeader {
    private(set) var bytes: [UInt8] = []
    private var second: Int64 = -1

    /// Whether there is a new one.
    mutating func update() -> Bool {
        let now = SystemInfo.wallClock
        let second = Int64(clamping: now / 1_000_000)
        guard second != self.second else { return false }
        self.second = second
        bytes = Array(Timestamp(clamping: now).httpDate.utf8)
        return true
    }
}

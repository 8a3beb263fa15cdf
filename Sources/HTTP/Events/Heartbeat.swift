internal import EventLoop

/// A sign of life for a stream on which nothing else was sent for a while.
package struct Heartbeat: Sendable {
    let bytes: SharedBytes
    let interval: Duration

    package init(_ bytes: [UInt8], every interval: Duration) {
        self.bytes = SharedBytes(bytes)
        self.interval = interval
    }

    var next: Deadline { .after(interval) }
}

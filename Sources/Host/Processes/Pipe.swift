internal import Glibc

/// A one-way connection whose ends are not inherited by child processes.
///
/// It is a pair of sockets, which can be marked close-on-exec at creation. A pipe is marked in a second step, between
/// which another thread may start a process that holds it open.
package struct Pipe: ~Copyable, Sendable {
    package let reading: Descriptor
    package let writing: Descriptor

    package init() throws(HostError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw HostError(errnoOf: "open", "a socket pair") }
        reading = Descriptor(owning: ends[0])
        writing = Descriptor(owning: ends[1])
    }

    /// Closes the writing end and reads until every other writer has closed it. Throws `timedOut` if that takes too
    /// long.
    consuming func readToEnd(limit: Int, within duration: Duration, subject: String) throws(HostError) -> [UInt8] {
        let reading = self.reading
        Pipe.close(writing)
        let end = ContinuousClock.now + duration
        var bytes: [UInt8] = []
        while true {
            let rest = end - ContinuousClock.now
            var waited = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
            guard rest > .zero, unsafe poll(&waited, 1, Self.pollTimeout(rest)) != 0 else { throw HostError(.timedOut, "read", subject) }
            let chunk = try reading.readSome(subject: subject)
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit { throw HostError(.fileTooLarge, "read", subject) }
        }
    }

    /// Returns the duration in milliseconds, rounded up and limited to the maximum of `poll`, 24 days.
    package static func pollTimeout(_ duration: Duration) -> Int32 {
        Int32(min(max(0, duration / .milliseconds(1)) + 1, Double(Int32.max)))
    }

    /// Closes the writing end and returns the reading end.
    package consuming func readingEnd() -> Descriptor {
        let reading = self.reading
        Pipe.close(writing)
        return reading
    }

    private static func close(_ end: consuming Descriptor) {}
}

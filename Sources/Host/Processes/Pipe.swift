internal import Glibc

/// The two ends of a pipe, which nothing inherits unasked.
struct Pipe: ~Copyable {
    let reading: Descriptor
    let writing: Descriptor

    init() throws(HostError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw HostError(errnoOf: "open", "a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = Descriptor(owning: ends[0])
        writing = Descriptor(owning: ends[1])
    }

    /// Closes the writing end here, so that reading ends when every other writer has gone.
    consuming func readToEnd(limit: Int, subject: String) throws(HostError) -> [UInt8] {
        let reading = self.reading
        Pipe.close(writing)
        return try reading.readAll(limit: limit, subject: subject)
    }

    private static func close(_ end: consuming Descriptor) {}
}

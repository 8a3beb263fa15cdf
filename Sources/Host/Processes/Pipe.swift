internal import Glibc

/// A one-way connection whose two ends nothing inherits unasked.
///
/// A pair of sockets, because those close on `exec` from the first moment on: a pipe is marked in a second step, and what another thread starts
/// in between holds it open.
struct Pipe: ~Copyable {
    let reading: Descriptor
    let writing: Descriptor

    init() throws(HostError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw HostError(errnoOf: "open", "a pair of sockets") }
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

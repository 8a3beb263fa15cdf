import Host

/// The table of open descriptors of a thread.
///
/// In one process with others, as `swift test` runs them, tests start child processes at the same time. Between its fork and its exec a child has a copy of each descriptor in the table of the thread that starts it, and
/// a connection that a scenario closes then stays open for its peer: no end arrives before the clock has jumped to the next timer.
enum DescriptorTable {
    /// Gives the calling thread a table of its own, with standard input, output and error.
    static func makePrivate() throws(HostError) {
        guard close_range(3, .max, unshare) == 0 else { throw HostError(errnoOf: "unshare", "the table of descriptors") }
    }

    /// `CLOSE_RANGE_UNSHARE` of Linux, which the Glibc module leaves out together with the function.
    private static let unshare: Int32 = 2
}

@_silgen_name("close_range") private func close_range(_ first: UInt32, _ last: UInt32, _ flags: Int32) -> Int32

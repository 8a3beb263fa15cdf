import Host

/// The table of open descriptors of a thread.
///
/// Other tests of the same process start child processes at the same time. Between fork and exec, a child has a copy of each descriptor in
/// the table of the thread that starts it. A connection that a scenario closes then stays open for its peer, which sees no end before the
/// clock has jumped to the next timer.
enum DescriptorTable {
    /// Gives the calling thread its own table, with standard input, output and error.
    static func makePrivate() throws(HostError) {
        guard close_range(3, .max, unshare) == 0 else { throw HostError(errnoOf: "unshare", "the table of descriptors") }
    }

    /// `CLOSE_RANGE_UNSHARE` of Linux, which the Glibc module omits together with the function.
    private static let unshare: Int32 = 2
}

@_silgen_name("close_range") private func close_range(_ first: UInt32, _ last: UInt32, _ flags: Int32) -> Int32

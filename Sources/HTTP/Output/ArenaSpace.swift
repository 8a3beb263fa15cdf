/// The ranges of an arena's file: which are in use, and which wait until their memory is reclaimed.
///
/// Each range starts after all earlier ones, so no offset is ever used twice. A file has enough of them: it grows by the
/// bytes that are stored, and its size is limited by 63 bits.
struct ArenaSpace: Sendable {
    /// The maximum number of bytes in memory.
    let limit: Int
    /// The size of a page. Ranges share no pages, because pages are removed as a whole.
    let pageBytes: Int
    /// The bytes in memory, those of released ranges included.
    private(set) var bytes = 0
    /// The end of all ranges so far.
    private var end = 0
    private var released: [Range<Int>] = []

    init(limit: Int, pageBytes: Int) {
        self.limit = limit
        self.pageBytes = pageBytes
    }

    /// Returns whole pages for `count` bytes; nil if the limit would be exceeded.
    mutating func allocate(_ count: Int) -> Range<Int>? {
        guard count <= limit - bytes else { return nil }
        let size = (count + pageBytes - 1) / pageBytes * pageBytes
        guard size <= limit - bytes else { return nil }
        defer { end += size }
        bytes += size
        return end..<(end + size)
    }

    mutating func release(_ range: Range<Int>) { released.append(range) }

    /// Returns a released range, whose memory the caller removes; nil if no range is left.
    mutating func takeReleased() -> Range<Int>? { released.popLast() }

    /// Counts the bytes of a range as removed. A range that could not be removed stays counted.
    mutating func remove(_ range: Range<Int>) { bytes -= range.count }
}

internal import CSocket
internal import EventLoop
internal import Glibc
internal import Host
internal import Synchronization

/// A file in memory with copies of large bodies. The kernel sends them from there without copying them again.
///
/// A socket refers to the pages of the file until its client has read them, which no system call reports. So a page is
/// written once, before it is sent, and never changed: a copy that is no longer used is removed from the file, and later
/// copies get other offsets. The sockets keep removed pages alive.
final class BodyArena: Sendable {
    /// The size from which bodies are copied. For smaller ones, the second system call costs as much as the copy saves. A
    /// frame of HTTP/2 is smaller.
    static let minCount = 20 * 1_024
    /// The size up to which bodies are copied, because a loop waits for the copy.
    static let maxCount = 1 << 20
    /// The number of times that a body is sent in a period before it is copied.
    static let sendsBeforeCopy = 4
    /// The time after which the sends of a body are counted again.
    static let period = Duration.seconds(60)
    /// The maximum size of all copies. They exist in addition to the bytes that other connections send.
    static let maxBytes = 32 << 20
    /// The number of copies whose memory is reclaimed in one turn of a loop.
    private static let maxReclaimed = 64

    private let file: Descriptor
    private let pageBytes: Int
    private let start = Deadline.now
    private let periods = Atomic(0)
    private let space: Locked<ArenaSpace>

    /// Returns nil if the system refuses or limits a file in memory, or if its sockets do not keep removed pages.
    init?(maxBytes: Int = BodyArena.maxBytes) {
        guard Self.canGrow else { return nil }
        let number = unsafe csocket_create_memory_file("vitrine-bodies")
        guard number >= 0 else { return nil }
        file = Descriptor(owning: number)
        pageBytes = max(1, sysconf(Int32(_SC_PAGESIZE)))
        space = Locked(ArenaSpace(limit: maxBytes, pageBytes: pageBytes))
        guard keepsSentPages else { return nil }
    }

    /// The bytes in memory.
    var bytes: Int { space.withLock { $0.bytes } }

    /// The number of periods that have ended.
    var endedPeriods: Int { periods.load(ordering: .relaxed) }

    /// Copies a body. Returns nil if the arena has no room or the system no memory.
    func copy(_ body: SharedBytes) -> Copy? {
        guard hasSmallPages, let range = space.withLock({ $0.allocate(body.count) }) else { return nil }
        let copy = Copy(range, in: self)
        let source = unsafe body.buffer(0..<body.count)
        let written = unsafe pwrite(file.number, source.baseAddress, source.count, range.lowerBound)
        return written == body.count ? copy : nil
    }

    /// Removes copies that are no longer used. This takes microseconds for each, so it is not done where the last use ends,
    /// which may be under a lock. Starts another period if the last one is over.
    func reclaim(at now: Deadline = .now) {
        periods.max(Int(now.duration(since: start) / Self.period), ordering: .relaxed)
        for _ in 0..<Self.maxReclaimed {
            guard let range = space.withLock({ $0.takeReleased() }) else { return }
            guard csocket_remove_pages(file.number, range.lowerBound, range.count) == 0 else { continue }
            space.withLock { $0.remove(range) }
        }
    }

    /// Whether files may have any size. A write above a limit would end the process.
    private static var canGrow: Bool {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur == rlim_t.max
    }

    /// Whether the system uses no large pages. It clears the removed part of a large page in place, even while a socket
    /// sends it. An operator can change this at any time (`transparent_hugepage/shmem_enabled`).
    private var hasSmallPages: Bool {
        var status = stat()
        return unsafe fstat(file.number, &status) == 0 && status.st_blksize <= pageBytes
    }

    /// Whether a socket sends the bytes of pages that were removed before they were received.
    private var keepsSentPages: Bool {
        let pages = [UInt8](repeating: 1, count: 2 * pageBytes)
        do throws(HostError) {
            let pipe = try Pipe()
            guard send(SharedBytes(pages), to: pipe.writing) else { return false }
            reclaim()
            let received = try pipe.reading.readSome(subject: "removed pages")
            return bytes == 0 && received == pages[...]
        } catch {
            return false
        }
    }

    private func send(_ body: SharedBytes, to socket: borrowing Descriptor) -> Bool {
        guard let copy = copy(body) else { return false }
        return withExtendedLifetime(copy) { copy.part(0..<body.count).send(to: socket.number) == body.count }
    }

    /// The copy of a body.
    final class Copy: Sendable {
        private let arena: BodyArena
        private let range: Range<Int>

        fileprivate init(_ range: Range<Int>, in arena: BodyArena) {
            self.range = range
            self.arena = arena
        }

        deinit { arena.space.withLock { $0.release(range) } }

        /// Returns the part of the file with a range of the body. It is valid for the lifetime of the copy.
        func part(_ part: Range<Int>) -> FilePart {
            FilePart(file: arena.file.number, offset: range.lowerBound + part.lowerBound, count: part.count)
        }
    }
}

/// A range of an open file.
struct FilePart {
    let file: Int32
    let offset: Int
    let count: Int

    /// Sends as much as the socket accepts, and returns the number of bytes; a negative number on failure.
    func send(to socket: Int32) -> Int {
        var position = off_t(offset)
        return unsafe sendfile(socket, file, &position, count)
    }
}

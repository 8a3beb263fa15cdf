internal import API
internal import EventLoop
internal import Host

/// Compresses pages as well as possible, after their first answers: a page takes some tenths of a second.
///
/// The thread that compresses has a low priority, and may be kept from its core for long. So it takes none of the locks that loops wait for: what to
/// compress is chosen on another loop.
struct PageCompressionJob: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let service: PageService

    init(_ service: PageService) { self.service = service }

    /// Until it is cancelled; for a task that prefers the loop. `idle` is the loop that compresses, whose thread makes way for all others.
    func run(on loop: EventLoop, beside idle: EventLoop) async {
        await withTaskExecutorPreference(idle) { SystemInfo.lowerPriority() }
        while !Task.isCancelled {
            if let compress = service.nextToCompress {
                await withTaskExecutorPreference(idle) { compress() }
                continue
            }
            do throws(EventLoopError) { try await loop.sleep(until: .after(Self.pause), named: "pages: compress") } catch { return }
        }
    }
}

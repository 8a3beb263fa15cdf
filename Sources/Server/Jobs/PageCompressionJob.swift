internal import API
internal import EventLoop
internal import Host

/// A job that compresses pages at the highest level after their first responses. One page takes some tenths of a
/// second.
///
/// The compressing thread has a low priority and may wait long for its core. So it takes no lock that loops wait for:
/// another loop chooses the page.
struct PageCompressionJob: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let service: PageService

    init(_ service: PageService) { self.service = service }

    /// Runs until it is canceled. The task must prefer the executor `loop`. `idle` is the loop that compresses; its
    /// thread yields to all others.
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

internal import API
internal import EventLoop
internal import Host

/// Compresses pages as well as can be, behind their first answers, on a loop of its own: a page takes some tenths of a second.
struct PageCompressing: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let service: PageService

    init(_ service: PageService) { self.service = service }

    /// Until it is cancelled; for a task that prefers the loop.
    func run(on loop: EventLoop) async {
        Machine.letOthersGoFirst()
        while !Task.isCancelled {
            if service.compressOne() { continue }
            do throws(EventLoopError) { try await loop.sleep(until: .after(Self.pause), named: "pages: compress") } catch { return }
        }
    }
}

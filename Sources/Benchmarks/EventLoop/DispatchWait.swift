import Dispatch

/// The same waits with Dispatch.
enum DispatchWait {
    private static let queue = DispatchQueue(label: "dispatch")

    static func untilWritable(_ descriptor: Int32) async {
        await withCheckedContinuation { continuation in
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler {
                source.cancel()
                continuation.resume()
            }
            source.activate()
        }
    }

    static func timer(after interval: DispatchTimeInterval) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {}
        timer.schedule(deadline: .now() + interval)
        timer.activate()
        return timer
    }
}

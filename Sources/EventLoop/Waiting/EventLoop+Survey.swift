internal import Host

extension EventLoop {
    /// Returns the result of `body` on the thread of each loop, or nil if a loop does not run it before the deadline.
    ///
    /// A stalled loop delays the caller until the deadline and runs the body afterwards. `timer` is the loop that
    /// watches the deadline.
    package static func survey<Value: Sendable>(
        _ loops: [EventLoop], until deadline: Deadline, on timer: EventLoop, named event: WorkLabel,
        _ body: @escaping @Sendable (_ index: Int) -> Value
    ) async -> [Value?] {
        let values = Locked<[Value?]>(loops.map { _ in nil })
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        for (index, loop) in loops.enumerated() {
            do throws(EventLoopError) {
                try loop.submit(named: event) {
                    let value = body(index)
                    values.withLock { $0[index] = value }
                    arrival.yield()
                }
            } catch {
                // A stopped loop has no result.
                arrival.yield()
            }
        }
        await withTaskGroup { group in
            group.addTask {
                var left = loops.count
                guard left > 0 else { return }
                for await _ in arrivals {
                    left -= 1
                    if left == 0 { return }
                }
            }
            group.addTask { do throws(EventLoopError) { try await timer.sleep(until: deadline, named: event) } catch {} }
            await group.next()
            group.cancelAll()
        }
        return values.withLock { $0 }
    }
}

internal import CEvent
internal import Host

/// A descriptor whose readiness triggers a callback on the loop's thread until the watch is canceled.
///
/// It belongs to the loop's thread, like everything that its callback accesses. The loop retains it, so releasing it
/// does not end it. The callback repeats while the descriptor is ready, not once for each change.
@safe package final class Watch {
    enum Handler {
        case callback((Readiness) -> Void)
        case wait(Wait)
    }

    let descriptor: Int32
    let event: WorkLabel
    private(set) var handler: Handler?
    /// The current wait that uses this watch. The callback is called again after it ends.
    var waiting: Wait?
    /// The next watch of the same descriptor in the list of the loop.
    var next: Watch?
    private let reactor: Reactor
    private var registration: OpaquePointer?
    private var isPaused = true

    /// Creates a watch. With `isEdge`, readiness is reported once for each change.
    init(_ descriptor: Int32, for interest: Readiness, isEdge: Bool = false, event: WorkLabel, reactor: Reactor, handler: Handler) {
        precondition(!interest.isEmpty, "a watch needs an interest")
        self.descriptor = descriptor
        self.event = event
        self.reactor = reactor
        self.handler = handler
        unsafe registration = cevent_new(
            reactor.base, descriptor, interest.rawValue, isEdge ? 1 : 0,
            { _, ready, argument in
                guard let argument = unsafe argument else { return }
                unsafe Unmanaged<Watch>.fromOpaque(argument).takeUnretainedValue().becameReady(Readiness(rawValue: ready))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Unsafe pointers to a watch end here. The reactor has released it or never retained it.
    deinit { if let registration = unsafe registration { unsafe cevent_free(registration) } }

    /// Ends the watch permanently, and the wait that uses it. No further callback is called, not even one that is due.
    /// The descriptor stays open.
    package func cancel() {
        guard let registration = unsafe registration else { return }
        unsafe cevent_free(registration)
        unsafe self.registration = nil
        waiting?.end(.failed(.cancelled))
        handler = nil
        reactor.forget(self)
    }

    /// Suspends callbacks until `resume`.
    package func pause() {
        guard let registration = unsafe registration, !isPaused else { return }
        isPaused = true
        unsafe cevent_remove(registration)
    }

    /// Resumes callbacks. Throws if the watch was canceled or the loop has stopped.
    package func resume() throws(EventLoopError) {
        guard let registration = unsafe registration else { throw EventLoopError(reactor.isStopped ? .loopStopped : .cancelled, event) }
        guard isPaused else { return }
        guard unsafe cevent_add(registration) == 0 else {
            throw EventLoopError(.system, event, cause: HostError(errnoOf: "watch", "descriptor \(descriptor)"))
        }
        isPaused = false
    }

    private func becameReady(_ readiness: Readiness) {
        reactor.handle(event) {
            if let waiting { return waiting.end(.ready(readiness)) }
            switch handler {
            case .callback(let call): call(readiness)
            case .wait(let wait): wait.end(.ready(readiness))
            case nil: break
            }
        }
    }
}

/// The events that a descriptor is waited for, or that occurred.
///
/// An error makes a descriptor ready for both. The end of the other side makes it at least readable. The next call on
/// it returns the cause.
package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(CEVENT_READABLE))
    package static let writable = Readiness(rawValue: Int16(CEVENT_WRITABLE))
}

internal import CEvent
internal import Host

/// A descriptor whose readiness calls back on the loop's thread, for as long as it is not cancelled.
///
/// Belongs to the loop's thread, like all that its callback touches. The loop keeps it, so that forgetting it does not end it. The callback
/// comes for as long as the descriptor is ready, not once for each change.
@safe package final class Watch {
    enum Handler {
        case callback((Readiness) -> Void)
        case wait(Wait)
    }

    let descriptor: Int32
    let event: WorkLabel
    private(set) var handler: Handler?
    /// Whoever waits by this watch at the moment; the callback has its turn again when nobody does.
    var waiting: Wait?
    private let reactor: Reactor
    private var registration: OpaquePointer?
    private var isPaused = true

    /// Readiness is reported once for each change where `isEdge`.
    init(_ descriptor: Int32, for interest: Readiness, isEdge: Bool = false, event: WorkLabel, reactor: Reactor, handler: Handler) {
        precondition(!interest.isEmpty, "a watch is for something")
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

    /// Unsafe pointers to a watch end here: the reactor, which keeps it, has let go of it or was never asked to hold it.
    deinit { if let registration = unsafe registration { unsafe cevent_free(registration) } }

    /// Ends it for good, and the wait by it; no callback comes from then on, not even one that is due. The descriptor stays open.
    package func cancel() {
        guard let registration = unsafe registration else { return }
        unsafe cevent_free(registration)
        unsafe self.registration = nil
        waiting?.end(.failed(.cancelled))
        handler = nil
        reactor.forget(self)
    }

    /// Keeps callbacks from coming until `resume`.
    package func pause() {
        guard let registration = unsafe registration, !isPaused else { return }
        isPaused = true
        unsafe cevent_remove(registration)
    }

    /// Lets callbacks come again; throws where it was cancelled or the loop stopped.
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

/// What a descriptor is waited for, and what came.
///
/// An error makes a descriptor ready for both, an end at the other side at least readable: the next call on it says what happened.
package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(CEVENT_READABLE))
    package static let writable = Readiness(rawValue: Int16(CEVENT_WRITABLE))
}

internal import CEvent
internal import Host

/// The pending signals of some kinds, as a descriptor that is readable while there is one.
struct SignalQueue: ~Copyable {
    let descriptor: Descriptor
    private let signals: [Signal]

    init(_ signals: [Signal], event: WorkLabel) throws(EventLoopError) {
        let numbers = signals.map(\.number)
        let descriptor = unsafe cevent_signals_open(numbers, Int32(clamping: numbers.count))
        guard descriptor >= 0 else { throw EventLoopError(.system, event, cause: HostError(errnoOf: "open", "a signalfd")) }
        self.descriptor = Descriptor(owning: descriptor)
        self.signals = signals
    }

    func next() -> Signal? {
        let number = cevent_signals_next(descriptor.number)
        return signals.first { $0.number == number }
    }
}

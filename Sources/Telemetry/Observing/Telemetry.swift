package import Values

/// Takes observations from every part of the program and hands each, with the time, to all of its sinks in their order.
///
/// Nothing is filtered here: the log leaves out what is below its level, while metrics count everything.
package struct Telemetry: Sendable {
    /// Is called on the thread that observed, so it must neither block for long nor observe anything itself.
    package typealias Sink = @Sendable (Observation, Timestamp) -> Void

    private let now: @Sendable () -> Timestamp
    private let sinks: [Sink]
    private let level: Observation.Level
    private let requestID: String?

    /// No sink has a use for what is less important than `level`.
    package init(now: @escaping @Sendable () -> Timestamp, sinks: [Sink], from level: Observation.Level = .debug) {
        self.init(now: now, sinks: sinks, level, requestID: nil)
    }

    private init(now: @escaping @Sendable () -> Timestamp, sinks: [Sink], _ level: Observation.Level, requestID: String?) {
        self.now = now
        self.sinks = sinks
        self.level = level
        self.requestID = requestID
    }

    /// Observes nothing, for tests and tools.
    package static let silent = Telemetry(now: { .epoch }, sinks: [])

    /// The same, with the request's id on each observation that has none.
    package func during(requestID: String) -> Telemetry {
        Telemetry(now: now, sinks: sinks, level, requestID: requestID)
    }

    /// Whether it is worth making an observation of this importance, where many are made.
    package func takes(_ level: Observation.Level) -> Bool { !sinks.isEmpty && level >= self.level }

    package func record(_ observation: Observation) {
        guard !sinks.isEmpty else { return }
        let observation = requestID.map(observation.during) ?? observation
        let time = now()
        for sink in sinks { sink(observation, time) }
    }

    package func record(
        _ event: EventName, _ level: Observation.Level = .info, _ message: String? = nil,
        fields: KeyValuePairs<String, Observation.Value> = [:]
    ) {
        record(Observation(event, level, message, fields: fields))
    }
}

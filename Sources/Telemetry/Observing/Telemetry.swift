package import Values

/// A dispatcher that passes observations from all parts of the program, with the time, to all sinks in order.
///
/// It filters nothing: the log omits observations below its level, but metrics count everything.
package struct Telemetry: Sendable {
    /// Receives an observation on the observing thread. It must neither block for long nor record observations itself.
    package typealias Sink = @Sendable (Observation, Timestamp) -> Void

    private let now: @Sendable () -> Timestamp
    private let sinks: [Sink]
    private let level: Observation.Level
    private let requestID: String?

    /// Creates a dispatcher. No sink uses observations below `level`.
    package init(now: @escaping @Sendable () -> Timestamp, sinks: [Sink], from level: Observation.Level = .debug) {
        self.init(now: now, sinks: sinks, level, requestID: nil)
    }

    private init(now: @escaping @Sendable () -> Timestamp, sinks: [Sink], _ level: Observation.Level, requestID: String?) {
        self.now = now
        self.sinks = sinks
        self.level = level
        self.requestID = requestID
    }

    /// A dispatcher without sinks, for tests and tools.
    package static let silent = Telemetry(now: { .epoch }, sinks: [])

    /// Returns a copy that sets the request ID of each observation without one.
    package func during(requestID: String) -> Telemetry {
        Telemetry(now: now, sinks: sinks, level, requestID: requestID)
    }

    /// Returns whether any sink uses observations of this level, to avoid creating many that are not used.
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

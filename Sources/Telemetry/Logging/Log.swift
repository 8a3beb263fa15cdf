/// A log that writes each observation of at least a level as one line.
package struct Log: Sendable {
    private let format: LogFormat
    private let level: Observation.Level
    private let isColored: Bool
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a log. `write` receives one line with its newline and must write it in one call. JSON is never colored.
    package init(
        _ format: LogFormat, from level: Observation.Level = .info, isColored: Bool = false,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.format = format
        self.level = level
        self.isColored = isColored
        self.write = write
    }

    package var sink: Telemetry.Sink {
        { observation, time in
            guard observation.level >= level else { return }
            switch format {
            case .json: write(JSONLogLine(observation, at: time).bytes)
            case .text: write(TextLogLine(observation, at: time, isColored: isColored).bytes)
            }
        }
    }
}

package enum LogFormat: String, Sendable, CaseIterable {
    case json
    /// Aligned columns with a short time, for people.
    case text
}

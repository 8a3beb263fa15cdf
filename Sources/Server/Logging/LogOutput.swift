package import Host
package import Settings
package import Telemetry
internal import Values

/// The log of a serving process. Its own thread writes the lines, and a repeated failure takes few of them.
package final class LogOutput: Sendable {
    package let telemetry: Telemetry
    private let writer: LineWriter
    private let sink: Telemetry.Sink
    private let repeats: Locked<RepeatFilter>

    package init(_ settings: Settings.Log, isColored: Bool) throws(HostError) {
        let writer = try LineWriter { line in
            do throws(HostError) { return try StandardStream.errors.deliver(line) } catch { return false }
        }
        let format = settings.format ?? (StandardStream.errors.isTerminal ? .text : .json)
        let sink = Log(format, from: settings.level, isColored: isColored) { writer.write($0) }.sink
        let repeats = Locked(RepeatFilter())
        let level = settings.level
        telemetry = Telemetry(
            now: { Timestamp(clamping: SystemInfo.wallClock) },
            sinks: [
                { observation, time in
                    guard observation.level >= level else { return }
                    for passed in repeats.withLock({ $0.admit(observation, at: time) }) { sink(passed, time) }
                }
            ], from: settings.level)
        self.writer = writer
        self.sink = sink
        self.repeats = repeats
    }

    package var droppedLines: Int { writer.droppedLines }

    /// Writes the due summaries of repeated failures. Call it about once a second.
    package func writeSummaries() {
        let time = Timestamp(clamping: SystemInfo.wallClock)
        for summary in repeats.withLock({ $0.summaries(at: time) }) { sink(summary, time) }
    }

    /// Returns when all logged lines are written, or after a second, so that a stalled reader does not keep the process
    /// from ending.
    package func flush() {
        let time = Timestamp(clamping: SystemInfo.wallClock)
        for summary in repeats.withLock({ $0.finish() }) { sink(summary, time) }
        writer.flush(within: .seconds(1))
    }

    /// Closes the log after a flush.
    package func close() {
        flush()
        writer.close(within: .zero)
    }
}

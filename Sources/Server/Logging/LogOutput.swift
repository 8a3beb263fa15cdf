package import Host
package import Settings
package import Telemetry
internal import Values

/// The log of a process that serves: a thread of its own writes the lines, and a failure that repeats takes few of them.
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

    /// Writes the sums of repeated failures whose time has come; to be called about once a second.
    package func writeSummaries() {
        let time = Timestamp(clamping: SystemInfo.wallClock)
        for summary in repeats.withLock({ $0.summaries(at: time) }) { sink(summary, time) }
    }

    /// Returns when what was logged is written, or after a second: a reader that takes nothing keeps no process from ending.
    package func flush() {
        let time = Timestamp(clamping: SystemInfo.wallClock)
        for summary in repeats.withLock({ $0.finish() }) { sink(summary, time) }
        writer.flush(within: .seconds(1))
    }

    /// Ends the log after a flush.
    package func close() {
        flush()
        writer.close(within: .zero)
    }
}

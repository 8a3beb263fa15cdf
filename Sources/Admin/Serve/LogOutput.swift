internal import Host
internal import Settings
internal import Telemetry
internal import Time

/// The log of a process that serves: a thread of its own writes the lines, and a failure that repeats takes few of them.
final class LogOutput: Sendable {
    let telemetry: Telemetry
    private let writer: LineWriter
    private let sink: Telemetry.Sink
    private let repeats: Locked<RepeatFilter>

    init(_ settings: Settings.Log, console: Console) throws(HostError) {
        let writer = try LineWriter { line in
            do throws(HostError) { return try StandardStream.errors.deliver(line) } catch { return false }
        }
        let format = settings.format ?? (StandardStream.errors.isTerminal ? .human : .json)
        let sink = Log(format, from: settings.level, isColored: console.isColored(.errors)) { writer.write($0) }.sink
        let repeats = Locked(RepeatFilter())
        let level = settings.level
        telemetry = Telemetry(
            now: { Timestamp(clamping: Machine.wallClock) },
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

    /// The number of lines that nobody could read.
    var droppedLines: Int { writer.droppedLines }

    /// Writes the sums of repeated failures whose time has come; to be called about once a second.
    func writeSummaries() {
        let time = Timestamp(clamping: Machine.wallClock)
        for summary in repeats.withLock({ $0.summaries(at: time) }) { sink(summary, time) }
    }

    /// Returns when what was logged is written, or after a second: a reader that takes nothing keeps no process from ending.
    func flush() {
        let time = Timestamp(clamping: Machine.wallClock)
        for summary in repeats.withLock({ $0.finish() }) { sink(summary, time) }
        writer.flush(within: .seconds(1))
    }

    /// Ends the log after a flush.
    func close() {
        flush()
        writer.close(within: .zero)
    }
}

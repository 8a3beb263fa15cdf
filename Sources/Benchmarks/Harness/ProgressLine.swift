import Foundation
import Host

/// A report on standard error of the suite and the row that are measured, and of the time since the start.
///
/// On a terminal it is one line, rewritten each second; elsewhere it is a line for each step.
final class ProgressLine {
    private struct State {
        var suite = ""
        var step = ""
    }

    private let state = Locked(State())
    private let start = ContinuousClock.now
    private let isTerminal = StandardStream.errors.isTerminal
    private let timer: (any DispatchSourceTimer)?

    init() {
        timer = isTerminal ? DispatchSource.makeTimerSource() : nil
        timer?.setEventHandler { [state, start] in Self.write(state, start, isTerminal: true) }
        timer?.schedule(deadline: .now() + 1, repeating: 1)
        timer?.activate()
    }

    /// The time since the start.
    var elapsed: Duration { start.duration(to: .now) }

    /// Begins a suite, counted from one.
    func begin(_ suite: String, _ number: Int, of count: Int) {
        state.withLock { $0 = State(suite: "\(number)/\(count) \(suite)") }
        Self.write(state, start, isTerminal: isTerminal)
    }

    /// Shows what is measured now.
    func show(_ step: String) {
        state.withLock { $0.step = step }
        Self.write(state, start, isTerminal: isTerminal)
    }

    /// Stops, and clears the line of a terminal.
    func end() {
        timer?.cancel()
        if isTerminal { Self.print("\r\u{1B}[K") }
    }

    /// A line of the progress, without its end.
    static func text(suite: String, step: String, elapsed: Duration) -> String {
        let seconds = Int(elapsed / .seconds(1))
        let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        return "[\(clock)] \(suite)\(step.isEmpty ? "" : ": \(step)")"
    }

    private static func write(_ state: Locked<State>, _ start: ContinuousClock.Instant, isTerminal: Bool) {
        let now = state.withLock { $0 }
        let text = text(suite: now.suite, step: now.step, elapsed: start.duration(to: .now))
        let width = StandardStream.errors.width ?? 80
        print(isTerminal ? "\r\u{1B}[K\(text.prefix(max(1, width - 1)))" : "\(text)\n")
    }

    /// A progress line that cannot be written is no reason to stop.
    private static func print(_ text: String) { do { try StandardStream.errors.write(Array(text.utf8)) } catch {} }
}

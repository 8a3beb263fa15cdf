import Foundation
import Host

/// A report on standard error of the current suite and row, and of the elapsed time.
///
/// On a terminal it is one line that is rewritten each second, below the lines that remain; elsewhere it is a line for each step.
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

    /// Starts a suite, counted from one.
    func begin(_ suite: String, _ number: Int, of count: Int) {
        state.withLock { $0 = State(suite: "\(number)/\(count) \(suite)") }
        Self.write(state, start, isTerminal: isTerminal)
    }

    /// Shows the current step.
    func show(_ step: String) {
        state.withLock { $0.step = step }
        Self.write(state, start, isTerminal: isTerminal)
    }

    /// Prints a line that remains, also on a terminal. The current step stays.
    func keep(_ text: String) {
        let line = Self.text(suite: state.withLock { $0.suite }, step: text, elapsed: elapsed)
        Self.print(Self.kept(line, isTerminal: isTerminal))
        if isTerminal { Self.write(state, start, isTerminal: true) }
    }

    /// Stops the timer and clears the line of a terminal.
    func end() {
        timer?.cancel()
        if isTerminal { Self.print("\r\u{1B}[K") }
    }

    /// Returns a line of the progress, without its line break.
    static func text(suite: String, step: String, elapsed: Duration) -> String {
        let seconds = Int(elapsed / .seconds(1))
        let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        return "[\(clock)] \(suite)\(step.isEmpty ? "" : ": \(step)")"
    }

    /// Returns the output of a line that remains. On a terminal it replaces the line of the current step, which has no line break.
    static func kept(_ line: String, isTerminal: Bool) -> String { "\(isTerminal ? "\r\u{1B}[K" : "")\(line)\n" }

    private static func write(_ state: Locked<State>, _ start: ContinuousClock.Instant, isTerminal: Bool) {
        let now = state.withLock { $0 }
        let text = text(suite: now.suite, step: now.step, elapsed: start.duration(to: .now))
        let width = StandardStream.errors.width ?? 80
        print(isTerminal ? "\r\u{1B}[K\(text.prefix(max(1, width - 1)))" : "\(text)\n")
    }

    /// Prints text. A failure to write the progress does not stop the run.
    private static func print(_ text: String) { do { try StandardStream.errors.write(Array(text.utf8)) } catch {} }
}

internal import CatalogImport
import Host

/// How far an import is, on one line of a terminal; nothing anywhere else.
struct ImportProgress: Sendable {
    let console: Console
    /// Of the file, where that is known.
    let size: Int?
    private let isShown: Bool

    init(console: Console, size: Int?) {
        self.console = console
        self.size = size
        isShown = StandardStream.errors.isTerminal && console.environment["TERM"] != "dumb"
    }

    func report(_ counts: ImportCounts, bytesRead: Int) {
        guard isShown else { return }
        console.printStatus("\r\u{1B}[K" + Self.line(counts, bytesRead: bytesRead, size: size, width: StandardStream.errors.width ?? 80))
    }

    /// How much of the file a server has taken.
    func report(sent: Int, isWhole: Bool) {
        guard isShown else { return }
        let width = StandardStream.errors.width ?? 80
        let text = "all sent; the server goes on"
        console.printStatus(
            "\r\u{1B}[K" + (isWhole ? Self.line(text, share: 1, width: width) : Self.line(sent: sent, of: size, width: width)))
    }

    func report(_ phase: ImportPhase) {
        guard isShown else { return }
        console.printStatus("\r\u{1B}[K" + Self.line(phase, width: StandardStream.errors.width ?? 80))
    }

    /// How many items are in lists and searches, of those that were written; the queue may have others as well.
    func report(listed: Int, of written: Int) {
        guard isShown else { return }
        let text = "listing \(listed) of \(max(listed, written))"
        let share = written > 0 ? min(1, Double(listed) / Double(written)) : 1
        console.printStatus("\r\u{1B}[K" + Self.line(text, share: share, width: StandardStream.errors.width ?? 80))
    }

    func clear() {
        if isShown { console.printStatus("\r\u{1B}[K") }
    }

    /// Where among the phases behind the file it is.
    static func line(_ phase: ImportPhase, width: Int) -> String {
        let place = (ImportPhase.allCases.firstIndex(of: phase) ?? 0) + 1
        return String("all read; \(phase.rawValue) (\(place) of \(ImportPhase.allCases.count))".prefix(max(0, width - 1)))
    }

    /// A bar as far as there is room for one, and the counts.
    static func line(_ counts: ImportCounts, bytesRead: Int, size: Int?, width: Int) -> String {
        guard let size, size > 0 else { return String(counts.words.prefix(max(0, width - 1))) }
        let share = min(1, Double(bytesRead) / Double(size))
        return line("\(Int(share * 100)) %  \(counts.words)", share: share, width: width)
    }

    static func line(sent: Int, of size: Int?, width: Int) -> String {
        let count = "\(sent / 1_000_000)"
        guard let size, size > 0 else { return String("\(count) MB sent".prefix(max(0, width - 1))) }
        let share = min(1, Double(sent) / Double(size))
        return line("\(Int(share * 100)) %  \(count) of \(size / 1_000_000) MB sent", share: share, width: width)
    }

    private static func line(_ text: String, share: Double, width: Int) -> String {
        let room = min(30, width - text.count - 4)
        guard room >= 8 else { return String(text.prefix(max(0, width - 1))) }
        let full = Int(share * Double(room))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: room - full) + "] " + text
    }
}

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

    func tell(_ counts: ImportCounts, bytesRead: Int) {
        guard isShown else { return }
        console.say("\r\u{1B}[K" + Self.line(counts, bytesRead: bytesRead, size: size, width: StandardStream.errors.width ?? 80))
    }

    func clear() {
        if isShown { console.say("\r\u{1B}[K") }
    }

    /// A bar as far as there is room for one, and the counts.
    static func line(_ counts: ImportCounts, bytesRead: Int, size: Int?, width: Int) -> String {
        guard let size, size > 0 else { return String(counts.words.prefix(max(0, width - 1))) }
        let share = min(1, Double(bytesRead) / Double(size))
        let text = "\(Int(share * 100)) %  \(counts.words)"
        let room = min(30, width - text.count - 4)
        guard room >= 8 else { return String(text.prefix(max(0, width - 1))) }
        let full = Int(share * Double(room))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: room - full) + "] " + text
    }
}

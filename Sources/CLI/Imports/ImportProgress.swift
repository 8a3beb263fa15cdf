internal import CatalogImport

/// The progress of an import on one line of a terminal. Other outputs get none.
struct ImportProgress: Sendable {
    let console: Console
    /// The size of the file, if known.
    let size: Int?

    func report(_ counts: ImportCounts, bytesRead: Int) {
        console.rewriteLine { Self.line(counts, bytesRead: bytesRead, size: size, width: $0) }
    }

    /// Shows how much of the file the server has received.
    func report(sent: Int, isWhole: Bool) {
        console.rewriteLine { width in
            isWhole
                ? Self.line("upload complete; waiting for the server", share: 1, width: width)
                : Self.line(sent: sent, of: size, width: width)
        }
    }

    func report(_ phase: ImportPhase) { console.rewriteLine { Self.line(phase, width: $0) } }

    /// Shows that the import waits until fewer changes of imports are unpublished.
    func report(waiting changes: Int) { console.rewriteLine { Self.line(waiting: changes, width: $0) } }

    /// Shows how many of the written items are indexed. The queue may have items of other imports too.
    func report(listed: Int, of written: Int) {
        let share = written > 0 ? min(1, Double(listed) / Double(written)) : 1
        console.rewriteLine { Self.line("indexing \(listed) of \(max(listed, written))", share: share, width: $0) }
    }

    func clear() { console.clearLine() }

    /// Returns the line of a phase after the file is read.
    static func line(_ phase: ImportPhase, width: Int) -> String {
        let index = (ImportPhase.allCases.firstIndex(of: phase) ?? 0) + 1
        return String("file read; \(phase.rawValue) (\(index) of \(ImportPhase.allCases.count))".prefix(max(0, width - 1)))
    }

    static func line(waiting changes: Int, width: Int) -> String {
        String("waiting for the publication of \(changes) imported changes".prefix(max(0, width - 1)))
    }

    /// Returns a bar, if there is room for one, and the counts.
    static func line(_ counts: ImportCounts, bytesRead: Int, size: Int?, width: Int) -> String {
        guard let size, size > 0 else { return String(counts.text.prefix(max(0, width - 1))) }
        let share = min(1, Double(bytesRead) / Double(size))
        return line("\(Int(share * 100)) %  \(counts.text)", share: share, width: width)
    }

    static func line(sent: Int, of size: Int?, width: Int) -> String {
        guard let size, size > 0 else { return String("\(megabytes(sent)) MB sent".prefix(max(0, width - 1))) }
        let share = min(1, Double(sent) / Double(size))
        return line("\(Int(share * 100)) %  \(megabytes(sent)) of \(megabytes(size)) MB sent", share: share, width: width)
    }

    /// The number of megabytes, with a decimal if there are few.
    private static func megabytes(_ bytes: Int) -> String {
        bytes < 10_000_000 ? "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" : "\(bytes / 1_000_000)"
    }

    private static func line(_ text: String, share: Double, width: Int) -> String {
        let room = min(30, width - text.count - 4)
        guard room >= 8 else { return String(text.prefix(max(0, width - 1))) }
        let full = Int(share * Double(room))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: room - full) + "] " + text
    }
}

internal import Values
internal import VitrineClient

/// A printer of progress on standard error: each change of state once, and on a terminal the progress of a load.
struct TailProgressPrinter {
    let console: Console
    private var showsProgress = false
    private var state = ""

    init(console: Console) { self.console = console }

    mutating func report(_ note: SyncUpdate.Note, of copy: LocalCopy) {
        switch note {
        case .lagging(let version, let head): show(version, head, copy)
        case .upToDate(let version): printStatus("up to date", "up to date: \(copy.count) entities at version \(version)")
        case .disconnected(let reason, let seconds):
            printStatus("disconnected: \(reason)", "disconnected: \(reason); retrying in \(Int(seconds.rounded(.up))) s")
        case .expired(let reason, let isReloaded):
            printStatus(
                "expired",
                "the cursor expired (\(reason.printable(limit: 40))): \(isReloaded ? "loading a new copy" : "repairing the copy")")
        case .repairing(let buckets): printStatus("repairing", "repairing: \(buckets) buckets differ")
        case .repaired: printStatus("repaired", "repaired: \(copy.count) entities")
        }
    }

    private mutating func printStatus(_ state: String, _ text: String) {
        guard state != self.state else { return }
        self.state = state
        clear()
        console.printStatus("\(text)\n")
    }

    mutating func clear() {
        guard showsProgress else { return }
        showsProgress = false
        console.clearLine()
    }

    private mutating func show(_ version: Int, _ head: Int, _ copy: LocalCopy) {
        guard console.rewritesLine else { return }
        showsProgress = true
        let share = head > 0 ? min(1, Double(version) / Double(head)) : 1
        let full = Int(share * 20)
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 20 - full)
        let text = "[\(bar)] \(Int(share * 100)) %  \(copy.count) entities"
        console.rewriteLine { String(text.prefix(max(0, $0 - 1))) }
    }
}

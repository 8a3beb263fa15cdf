internal import Feeds
internal import Values

/// A timeline of publications: bars with revision numbers, thin if a takeover hides the revision.
struct ScheduleTimeline {
    /// A feed in the storefronts in which it has the same schedule.
    struct Row {
        let feed: String
        /// The storefronts, or nil if they are all.
        let storefronts: [String]?
        let schedule: Schedule

        /// Returns the rows of a feed, one for each group of storefronts with the same periods.
        static func all(of feed: String, _ publications: [Publication], in storefronts: [String]) -> [Row] {
            var groups: [(schedule: Schedule, storefronts: [String])] = []
            for storefront in storefronts {
                let schedule = Schedule(publications, in: storefront)
                if let index = groups.firstIndex(where: { $0.schedule.isAlike(schedule) }) {
                    groups[index].storefronts.append(storefront)
                } else {
                    groups.append((schedule, [storefront]))
                }
            }
            return groups.map { Row(feed: feed, storefronts: groups.count == 1 ? nil : $0.storefronts, schedule: $0.schedule) }
        }

        fileprivate var name: String { storefronts.map { "\(feed) \($0.joined(separator: " "))" } ?? feed }
    }

    private let rows: [Row]
    private let window: Range<Timestamp>
    private let now: Timestamp
    private let zone: TimeZone
    /// The width of each line, at least 40 columns.
    private let width: Int
    private let isColored: Bool
    private let names: Int
    private let columns: Int

    init(
        _ rows: [Row], window: Range<Timestamp>, now: Timestamp, zone: TimeZone, width: Int, isColored: Bool
    ) {
        self.rows = rows
        self.window = window
        self.now = now
        self.zone = zone
        self.width = max(40, width)
        self.isColored = isColored
        names = min(self.width < 80 ? 16 : 24, max(4, rows.map(\.name.count).max() ?? 0))
        columns = self.width - names - 3
    }

    var text: String { (axis + rows.flatMap(lines)).joined(separator: "\n") + "\n" }

    // MARK: Feeds

    private func lines(of feed: Row) -> [String] {
        let schedule = feed.schedule
        let takeovers = schedule.entries(on: .takeover, from: window.lowerBound, until: window.upperBound)
        let base = schedule.entries(on: .base, from: window.lowerBound, until: window.upperBound)
        let name = feed.name.count > names ? "\(feed.name.prefix(names - 1))…" : feed.name
        guard !base.isEmpty || !takeovers.isEmpty else { return [row(name, "no publications")] }
        var rows: [String] = []
        if !takeovers.isEmpty { rows.append(row(name, bars(of: takeovers, hiddenBy: []), color: 33)) }
        if !base.isEmpty { rows.append(row(takeovers.isEmpty ? name : "", bars(of: base, hiddenBy: takeovers), color: 36)) }
        return rows + legend(takeovers + base, in: feed.storefronts)
    }

    private func bars(of entries: [Schedule.Entry], hiddenBy others: [Schedule.Entry]) -> String {
        var line = [Character](repeating: " ", count: columns)
        let hidden = others.map(span)
        for entry in entries {
            let span = span(of: entry)
            for column in span { line[column] = hidden.contains { $0.contains(column) } ? "┄" : "━" }
            if entry.from < window.lowerBound, let first = span.first { line[first] = "◂" }
            if entry.until.map({ $0 > window.upperBound }) ?? true, let last = span.last { line[last] = "▸" }
            write("r\(entry.revision)", into: &line, within: span)
        }
        return String(line)
    }

    /// Returns the columns of a publication, at least one, so that every publication is visible.
    private func span(of publication: Schedule.Entry) -> Range<Int> {
        let start = column(of: publication.from)
        let end = publication.until.map { column(of: $0) } ?? columns
        return min(start, columns - 1)..<min(columns, max(start + 1, end))
    }

    private func write(_ text: String, into line: inout [Character], within span: Range<Int>) {
        guard span.count >= text.count + 2 else { return }
        for (index, character) in text.enumerated() { line[span.lowerBound + 1 + index] = character }
    }

    /// Returns a line for each publication, with the number for canceling it. Narrow terminals get more lines.
    private func legend(_ entries: [Schedule.Entry], in storefronts: [String]?) -> [String] {
        let isNarrow = columns < 60
        let margin = isNarrow ? 2 : names + 2
        let places = storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        return entries.flatMap { entry in
            let layer = entry.layer == .base ? "" : " as a takeover"
            let end = entry.until.map { " until \($0.clock(in: zone)) \(zone.name)" } ?? ", open-ended"
            return "\(entry.id): revision \(entry.revision)\(layer)\(places), from \(entry.from.clock(in: zone)) \(zone.name)\(end)"
                .broken(into: width - margin).map { String(repeating: " ", count: margin) + $0 }
        }
    }

    private func row(_ name: String, _ bars: String, color: Int? = nil) -> String {
        let line = String("\(name)\(String(repeating: " ", count: names - name.count))  \(bars)".reversed().drop { $0 == " " }.reversed())
        guard isColored, let color else { return line }
        return line.prefix(names + 2) + "\u{1B}[\(color)m\(line.dropFirst(names + 2))\u{1B}[0m"
    }

    // MARK: The axis

    /// The zone, the labels and the marks.
    private var axis: [String] {
        let step = Self.steps.first { Double(columns) / (length / Double($0)) >= 13 } ?? Self.steps[Self.steps.count - 1]
        var labels = [Character](repeating: " ", count: columns)
        var marks = [Character](repeating: "─", count: columns)
        let start = Int(window.lowerBound.microseconds / 1_000_000)
        // Ticks follow the zone's clock, including its changes of offset.
        var tick = (start + zone.offset(at: window.lowerBound) + step - 1) / step * step
        while true {
            let time = time(showing: tick)
            guard time < window.upperBound else { break }
            let position = column(of: time)
            if position < columns { marks[position] = "┬" }
            let label = label(time, step)
            if position + label.count <= columns { for (index, character) in label.enumerated() { labels[position + index] = character } }
            tick += step
        }
        if window.contains(now) { marks[min(column(of: now), columns - 1)] = "▼" }
        // A zone with a name that is too long has a line of its own.
        let fits = zone.name.count <= names
        return (fits ? [] : [zone.name]) + [row(fits ? zone.name : "", String(labels)), row("", String(marks))]
    }

    /// Returns the time at which the zone's clock shows this many seconds since the start of 1970. If the clock skips
    /// that value, the time is an hour earlier.
    private func time(showing seconds: Int) -> Timestamp {
        let guess = Timestamp(clamping: (seconds - zone.offset(at: window.lowerBound)) * 1_000_000)
        return Timestamp(clamping: (seconds - zone.offset(at: guess)) * 1_000_000)
    }

    /// Returns the day if the step is a day or more, or if the day starts; otherwise the hour.
    private func label(_ time: Timestamp, _ step: Int) -> String {
        let clock = time.clock(in: zone)
        let hour = clock.suffix(5)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = Int(clock.dropFirst(5).prefix(2)).flatMap { 1...12 ~= $0 ? months[$0 - 1] : nil } ?? ""
        let day = "\(Int(clock.dropFirst(8).prefix(2)) ?? 0) \(month)"
        return step >= 86_400 || hour == "00:00" ? day : String(hour)
    }

    private static let steps = [
        300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 2 * 86_400, 7 * 86_400, 14 * 86_400, 28 * 86_400, 91 * 86_400, 364 * 86_400,
    ]

    /// The length of the window in seconds.
    private var length: Double { max(1, Double(window.upperBound.microseconds - window.lowerBound.microseconds) / 1_000_000) }

    private func column(of time: Timestamp) -> Int {
        let seconds = Double(time.microseconds - window.lowerBound.microseconds) / 1_000_000
        return Int(min(max(seconds / length * Double(columns), 0), Double(columns)).rounded(.down))
    }
}

internal import JSON
internal import Values

/// An observation as one line of columns: time of day in UTC, level, event, message, fields.
struct TextLogLine {
    private let observation: Observation
    private let time: Timestamp
    private let isColored: Bool

    init(_ observation: Observation, at time: Timestamp, isColored: Bool) {
        self.observation = observation
        self.time = time
        self.isColored = isColored
    }

    var bytes: [UInt8] {
        let level = observation.level.rawValue.padded(to: 7)
        var columns = [time.timeOfDay, isColored ? observation.level.colored(level) : level]
        let details = [observation.message.map { $0.printable() }].compactMap { $0 } + pairs
        columns.append(details.isEmpty ? observation.event.description : observation.event.description.padded(to: 20))
        return Array(((columns + details).joined(separator: "  ") + "\n").utf8)
    }

    private var pairs: [String] {
        var pairs = observation.fields.map { "\($0.name.asWord)=\($0.value.asWords)" }
        if let requestID = observation.requestID { pairs.append("request=\(requestID.asWord)") }
        return pairs.isEmpty ? [] : [pairs.joined(separator: " ")]
    }
}

extension Observation.Level {
    fileprivate func colored(_ text: String) -> String {
        let code =
            switch self {
            case .debug: 2
            case .info: 32
            case .warning: 33
            case .error: 31
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

extension Observation.Value {
    fileprivate var asWords: String {
        switch self {
        case .text(let text): text.asWord
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let bool): "\(bool)"
        case .duration(let duration): duration.short
        case .list(let texts): "[\(texts.map(\.asWord).joined(separator: ", "))]"
        }
    }
}

extension String {
    /// The text itself if it is one plain word, otherwise quoted.
    fileprivate var asWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !#""\=,[]"#.utf8.contains($0) }
        guard !isPlain else { return printable() }
        var writer = JSONWriter()
        writer.string(self)
        return String(decoding: writer.bytes, as: UTF8.self).printable()
    }

    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count))
    }
}

extension Duration {
    /// Three to six digits and a unit: `850µs`, `12.5ms`, `2.041s`.
    var short: String {
        let (seconds, attoseconds) = components
        let sum = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        let microseconds = sum.magnitude
        let (number, unit) =
            if microseconds < 1_000 { (sum, "µs") } else if microseconds < 1e6 { (sum / 1e3, "ms") } else { (sum / 1e6, "s") }
        let rounded = (number * 1_000).rounded() / 1_000
        return (Int(exactly: rounded).map(String.init) ?? String(rounded)) + unit
    }
}

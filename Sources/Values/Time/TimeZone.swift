/// A time zone: the offset of its clocks from UTC at any time.
package struct TimeZone: Sendable {
    private struct Transition {
        /// The time in seconds since 1970.
        let at: Int
        let offset: Int
    }

    package static let utc = TimeZone(name: "UTC", offset: 0)

    package let name: String
    private let transitions: [Transition]
    /// The offset before the first transition, in seconds.
    private let firstOffset: Int
    /// The rule after the last transition.
    private let rule: DaylightSavingRule?

    private init(name: String, offset: Int) {
        self.name = name
        transitions = []
        firstOffset = offset
        rule = nil
    }

    /// Parses a file of the time zone database (RFC 9636). Returns nil if it is invalid.
    package init?(name: String, parsing file: [UInt8]) {
        guard var header = ZoneFileHeader(file[...]) else { return nil }
        var start = ZoneFileHeader.length
        var width = 4
        if header.version >= UInt8(ascii: "2") {
            start += header.length(ofTimes: 4)
            guard start <= file.count, let second = ZoneFileHeader(file[start...]) else { return nil }
            header = second
            start += ZoneFileHeader.length
            width = 8
        }
        let end = start + header.length(ofTimes: width)
        guard end <= file.count, header.types > 0 else { return nil }
        let kinds = start + header.times * width
        let types = kinds + header.times
        let offsets = (0..<header.types).map { file.number(at: types + $0 * 6, width: 4) }
        var transitions: [Transition] = []
        for index in 0..<header.times {
            let kind = Int(file[kinds + index])
            guard kind < offsets.count else { return nil }
            transitions.append(Transition(at: file.number(at: start + index * width, width: width), offset: offsets[kind]))
        }
        self.name = name
        self.transitions = transitions
        firstOffset = offsets[0]
        let footer = file[end...].drop { $0 == UInt8(ascii: "\n") }.prefix { $0 != UInt8(ascii: "\n") }
        rule = width == 8 ? DaylightSavingRule(String(decoding: footer, as: UTF8.self)) : nil
    }

    /// Returns the offset in seconds east of UTC.
    package func offset(at instant: Timestamp) -> Int {
        let second = Int((Double(instant.microseconds) / 1_000_000).rounded(.down))
        guard let last = transitions.last else { return rule?.offset(at: second) ?? firstOffset }
        if second >= last.at { return rule?.offset(at: second) ?? last.offset }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= second { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? transitions[low - 1].offset : firstOffset
    }

    package func localTime(at instant: Timestamp) -> LocalTime {
        LocalTime(inUTC: instant.advanced(by: .seconds(offset(at: instant))))
    }

    /// Returns the times at which the clocks show a local time, in order: none if they skip it, two if they are set
    /// back.
    package func times(showing time: LocalTime) -> [Timestamp] {
        let near = [-86_400, 0, 86_400].map { offset(at: time.inUTC.advanced(by: .seconds($0))) }
        return Set(near).compactMap { offset in
            let instant = time.inUTC.advanced(by: .seconds(-offset))
            return self.offset(at: instant) == offset ? instant : nil
        }.sorted()
    }

    /// Returns the first time at which the clocks show a local time or a later one: if they skip it, the time at which
    /// they are put forward, and if they show it twice, the first time. A later local time never has an earlier time.
    package func instant(of time: LocalTime) -> Timestamp {
        if let first = times(showing: time).first { return first }
        // The clocks are put forward between these two, to the second.
        let near = [-86_400, 0, 86_400].map { offset(at: time.inUTC.advanced(by: .seconds($0))) }
        var (early, late) = (-near.reduce(Int.min, max), -near.reduce(Int.max, min))
        while early < late {
            let middle = (early + late).flooredQuotient(by: 2)
            let instant = time.inUTC.advanced(by: .seconds(middle))
            if middle + offset(at: instant) >= 0 { late = middle } else { early = middle + 1 }
        }
        return time.inUTC.advanced(by: .seconds(late))
    }
}

/// The header before each of the two parts of a file.
private struct ZoneFileHeader {
    static let length = 44

    let version: UInt8
    let times: Int
    let types: Int
    private let others: Int
    private let leaps: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.length, bytes.starts(with: "TZif".utf8) else { return nil }
        let header = Array(bytes.prefix(Self.length))
        version = header[4]
        let counts = (0..<6).map { header.number(at: 20 + $0 * 4, width: 4) }
        guard counts.allSatisfy({ 0..<100_000 ~= $0 }) else { return nil }
        leaps = counts[2]
        times = counts[3]
        types = counts[4]
        others = counts[0] + counts[1] + counts[5]
    }

    func length(ofTimes width: Int) -> Int { times * (width + 1) + types * 6 + leaps * (width + 4) + others }
}

extension [UInt8] {
    /// Returns a signed big-endian number of four or eight bytes.
    fileprivate func number(at start: Int, width: Int) -> Int {
        let bits = self[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(bitPattern: bits))
    }
}

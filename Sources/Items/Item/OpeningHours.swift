package import JSON
internal import Values

/// The weekly opening hours of a FoodApp, in minutes from Monday, 00:00. Sunday night ends on an eighth day.
package struct OpeningHours: Sendable, Equatable {
    /// The spans in order. No two of them touch.
    package private(set) var spans: [Range<Int>] = []

    private static let minutesOfDay = 1_440
    private static let minutesOfWeek = 7 * minutesOfDay

    package init() {}

    /// Creates opening hours from the spans that the catalog stores.
    init(spans: [Range<Int>]) { self.spans = spans }

    /// Reads the spans of a published document, in the form in which the database stores them. Ignores other values.
    init(published list: JSONNode?) {
        guard let list else { return }
        spans.reserveCapacity(list.count)
        for span in list.elements where span.count == 2 {
            var ends = span.elements
            if let opens = ends.next()?.integer, let closes = ends.next()?.integer, opens < closes { spans.append(opens..<closes) }
        }
    }

    enum Day: String, Sendable, CaseIterable, JSONDecodable, JSONEncodable {
        case mon, tue, wed, thu, fri, sat, sun
    }

    /// The days on which a FoodApp is open from one time to another. If the second time is not the later one, it is on
    /// the next day.
    struct Entry: Sendable, Equatable {
        fileprivate(set) var days: [Day]
        /// The opening time, in minutes from midnight.
        let opens: Int
        let closes: Int
    }

    /// The entries as clients receive them, with days of the same hours combined. A span of more than a day is split at
    /// midnight.
    var entries: [Entry] {
        var list: [Entry] = []
        for span in spans {
            var start = max(0, span.lowerBound)
            while start < span.upperBound {
                let midnight = (start / Self.minutesOfDay + 1) * Self.minutesOfDay
                let end = span.upperBound - start > Self.minutesOfDay ? midnight : span.upperBound
                let day = Day.allCases[start / Self.minutesOfDay % 7]
                let hours = (opens: start % Self.minutesOfDay, closes: end % Self.minutesOfDay)
                if let index = list.firstIndex(where: { $0.opens == hours.opens && $0.closes == hours.closes }) {
                    if !list[index].days.contains(day) { list[index].days.append(day) }
                } else {
                    list.append(Entry(days: [day], opens: hours.opens, closes: hours.closes))
                }
                start = end
            }
        }
        return list
    }

    /// The entries as in a catalog file, one day each. A span that was merged across midnight is split there again.
    private var dailyEntries: [Entry] {
        var list: [Entry] = []
        for span in spans {
            var start = span.lowerBound
            while start < span.upperBound {
                // An entry lasts at most a day, and none starts on the eighth day.
                var end = min(span.upperBound, start + Self.minutesOfDay)
                if end < span.upperBound, end >= Self.minutesOfWeek { end = span.upperBound - Self.minutesOfDay }
                list.append(Entry(days: [Self.day(at: start)], opens: start % Self.minutesOfDay, closes: end % Self.minutesOfDay))
                start = end
            }
        }
        return list
    }

    private static func day(at minute: Int) -> Day { Day.allCases[min(minute / minutesOfDay, 6)] }
}

extension OpeningHours: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let entries = try json.decode(as: [Entry].self)
        guard entries.count <= 100 else { throw json.refuseCount(0...100) }
        var spans: [Range<Int>] = []
        for entry in entries {
            for day in entry.days {
                let midnight = (Day.allCases.firstIndex(of: day) ?? 0) * Self.minutesOfDay
                let end = midnight + entry.closes + (entry.closes <= entry.opens ? Self.minutesOfDay : 0)
                spans.append(midnight + entry.opens..<end)
            }
        }
        if spans.count > 1 { spans.sort { $0.lowerBound < $1.lowerBound } }
        for span in spans {
            guard let last = self.spans.last else {
                self.spans.append(span)
                continue
            }
            guard span.lowerBound >= last.upperBound else {
                throw json.refuse(.duplicate, "two periods overlap on \(Self.day(at: span.lowerBound).rawValue)")
            }
            if span.lowerBound == last.upperBound {
                self.spans[self.spans.count - 1] = last.lowerBound..<span.upperBound
            } else {
                self.spans.append(span)
            }
        }
        guard let first = self.spans.first, let last = self.spans.last, last.upperBound > first.lowerBound + Self.minutesOfWeek else {
            return
        }
        throw json.refuse(.duplicate, "a period of Sunday overlaps a period of Monday")
    }

    package func encode(to json: inout JSONWriter) { dailyEntries.encode(to: &json) }
}

extension OpeningHours.Entry: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let days = object.required("days", as: [OpeningHours.Day].self)
        if let days = days.value, !(1...7).contains(days.count) {
            object.report(.invalidCount, at: "days", "expected 1 to 7 elements, found \(days.count)")
        }
        let opens = object.required("opens", as: TimeOfDay.self)
        let closes = object.required("closes", as: TimeOfDay.self)
        try object.finish()
        self.days = try days()
        self.opens = try opens().minutes
        self.closes = try closes().minutes
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("days", days)
            $0.member("opens", TimeOfDay(minutes: opens).text)
            $0.member("closes", TimeOfDay(minutes: closes).text)
        }
    }
}

private struct TimeOfDay: JSONDecodable {
    let minutes: Int

    init(minutes: Int) { self.minutes = minutes }

    init(from json: JSONReader) throws(JSONReadError) {
        guard let minutes = Self.minutes(try json.decode(as: String.self).utf8.span) else {
            throw json.refuse(.invalidFormat, "expected a time of day from 00:00 to 23:59, such as 09:30")
        }
        self.minutes = minutes
    }

    private static func minutes(_ text: Span<UInt8>) -> Int? {
        guard text.count == 5, text[2] == UInt8(ascii: ":"), let hours = number(text, at: 0), let minutes = number(text, at: 3), hours < 24,
            minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    /// Returns the number of two digits at an index.
    private static func number(_ text: Span<UInt8>, at index: Int) -> Int? {
        guard text[index].isDigit, text[index + 1].isDigit else { return nil }
        return Int(text[index] - UInt8(ascii: "0")) * 10 + Int(text[index + 1] - UInt8(ascii: "0"))
    }

    var text: String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}

/// The spans of a published document, in the form in which the database stores them.
struct OpenMinutes: JSONDecodable {
    let hours: OpeningHours

    init(from json: JSONReader) throws(JSONReadError) {
        hours = OpeningHours(
            spans: try json.decode(as: [[Int]].self).compactMap { $0.count == 2 && $0[0] < $0[1] ? $0[0]..<$0[1] : nil })
    }
}

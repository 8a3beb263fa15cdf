package import JSON
internal import Values

/// When a place is open in any week, in minutes from Monday, 00:00; the night of Sunday ends on an eighth day.
package struct OpeningHours: Sendable, Equatable {
    /// In their order, none touching the next.
    package private(set) var spans: [Range<Int>] = []

    static let minutesOfDay = 1_440
    private static let minutesOfWeek = 7 * minutesOfDay

    init() {}

    /// As the catalog has them.
    init(spans: [Range<Int>]) { self.spans = spans }

    private enum Day: String, CaseIterable, JSONDecodable {
        case mon, tue, wed, thu, fri, sat, sun
    }

    private struct Entry: JSONDecodable {
        let days: [Day]
        let opens: Int
        let closes: Int

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let days = object.required("days", as: [Day].self, .count(1...7))
            let opens = object.required("opens", as: TimeOfDay.self)
            let closes = object.required("closes", as: TimeOfDay.self)
            try object.finish()
            self.days = try days()
            self.opens = try opens().minutes
            self.closes = try closes().minutes
        }
    }

    private struct TimeOfDay: JSONDecodable {
        let minutes: Int

        init(from json: JSONReader) throws(JSONReadError) {
            let text = try json.decode(as: String.self)
            let digits = text.utf8.compactMap { $0.isDigit ? Int($0 - UInt8(ascii: "0")) : nil }
            guard text.utf8.count == 5, digits.count == 4, text.utf8.dropFirst(2).first == UInt8(ascii: ":"),
                case let hours = digits[0] * 10 + digits[1], case let minutes = digits[2] * 10 + digits[3], hours < 24, minutes < 60
            else { throw json.refuse(.badForm, "expected a time of day such as 09:30, until 23:59") }
            self.minutes = hours * 60 + minutes
        }
    }
}

extension OpeningHours: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let entries = try json.decode(as: [Entry].self, .count(0...100))
        var spans: [Range<Int>] = []
        for entry in entries {
            for day in entry.days {
                let midnight = (Day.allCases.firstIndex(of: day) ?? 0) * Self.minutesOfDay
                let end = midnight + entry.closes + (entry.closes <= entry.opens ? Self.minutesOfDay : 0)
                spans.append(midnight + entry.opens..<end)
            }
        }
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = self.spans.last else {
                self.spans.append(span)
                continue
            }
            guard span.lowerBound >= last.upperBound else { throw json.refuse(.twice, "two spans overlap on \(Self.day(of: span))") }
            if span.lowerBound == last.upperBound {
                self.spans[self.spans.count - 1] = last.lowerBound..<span.upperBound
            } else {
                self.spans.append(span)
            }
        }
        guard let first = self.spans.first, let last = self.spans.last, last.upperBound > first.lowerBound + Self.minutesOfWeek else {
            return
        }
        throw json.refuse(.twice, "the night of Sunday overlaps Monday")
    }

    private static func day(of span: Range<Int>) -> String { Day.allCases[min(span.lowerBound / minutesOfDay, 6)].rawValue }

    /// Written a day at a time: what is merged across midnight is cut there again.
    package func encode(to json: inout JSONWriter) {
        json.array { json in
            for span in spans {
                var start = span.lowerBound
                while start < span.upperBound {
                    // An entry is at most a day long, and none begins on the eighth day.
                    var end = min(span.upperBound, start + Self.minutesOfDay)
                    if end < span.upperBound, end >= Self.minutesOfWeek { end = span.upperBound - Self.minutesOfDay }
                    json.object {
                        $0.member("days", [Self.day(of: start..<end)])
                        $0.member("opens", Self.text(start % Self.minutesOfDay))
                        $0.member("closes", Self.text(end % Self.minutesOfDay))
                    }
                    start = end
                }
            }
        }
    }

    private static func text(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

package import JSON

/// The days on which a place is open from one time to another, which is on the next day where it is not the later one.
package struct OpeningHours: Sendable, Equatable {
    package enum Day: String, Sendable, CaseIterable, JSONEncodable {
        case mon, tue, wed, thu, fri, sat, sun
    }

    package private(set) var days: [Day]
    /// In minutes from midnight.
    package let opens: Int
    package let closes: Int

    private static let minutesOfDay = 1_440

    /// Of spans in minutes from Monday, 00:00, as the database holds them. One of more than a day is cut at midnight.
    static func list(_ spans: [Range<Int>]) -> [OpeningHours] {
        var list: [OpeningHours] = []
        for span in spans {
            var start = max(0, span.lowerBound)
            while start < span.upperBound {
                let midnight = (start / minutesOfDay + 1) * minutesOfDay
                let end = span.upperBound - start > minutesOfDay ? midnight : span.upperBound
                let day = Day.allCases[start / minutesOfDay % 7]
                let hours = (opens: start % minutesOfDay, closes: end % minutesOfDay)
                if let place = list.firstIndex(where: { $0.opens == hours.opens && $0.closes == hours.closes }) {
                    if !list[place].days.contains(day) { list[place].days.append(day) }
                } else {
                    list.append(OpeningHours(days: [day], opens: hours.opens, closes: hours.closes))
                }
                start = end
            }
        }
        return list
    }
}

extension OpeningHours: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("days", days)
            $0.member("opens", Self.clock(opens))
            $0.member("closes", Self.clock(closes))
        }
    }

    private static func clock(_ minutes: Int) -> String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}

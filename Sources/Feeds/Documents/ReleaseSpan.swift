package import JSON
package import Values

/// A range of release days: from one day, before another, or both. The first day is earlier than the second.
package enum ReleaseSpan: Sendable, Hashable {
    case from(CalendarDay)
    case before(CalendarDay)
    case within(Range<CalendarDay>)
}

extension ReleaseSpan: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let from = object.optional("from", as: CalendarDay.self)
        let before = object.optional("before", as: CalendarDay.self)
        if let from, let before, from >= before {
            object.report(.outOfRange, at: "before", "expected a day after \(from), found \(before)")
        }
        try object.finish()
        switch (from, before) {
        case (let from?, let before?): self = .within(from..<before)
        case (let from?, nil): self = .from(from)
        case (nil, let before?): self = .before(before)
        case (nil, nil): throw json.refuse(.missingKey, "expected the key \"from\", \"before\" or both")
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .from(let day): json.member("from", day)
        case .before(let day): json.member("before", day)
        case .within(let days):
            json.member("from", days.lowerBound)
            json.member("before", days.upperBound)
        }
    }
}

package import JSON
package import Values

/// The period in which a section exists: from a time, until another, or both.
///
/// A wall-clock time is another instant in each time zone, so the period can be empty in some zones.
package struct SectionPeriod: Sendable, Hashable {
    /// The times that a bound can have, in UTC. They are those of the days of the catalog.
    private static let times: Range<Timestamp> = Timestamp.epoch..<Timestamp(clamping: 7_258_118_400_000_000)

    /// The start, or nil if the section exists from the start of the publication.
    package let from: PlannedTime?
    /// The end, or nil if the section exists until the end of the publication.
    package let until: PlannedTime?

    /// Returns the period in the zone of a clock. It is empty if the end is not after the start there.
    package func span(by clock: LocalClock) -> Range<Timestamp> {
        var (start, end) = (Timestamp.earliest, Timestamp.latest)
        if let from { start = clock.instant(of: from) ?? .latest }
        if let until { end = clock.instant(of: until) ?? .earliest }
        return start..<max(start, end)
    }

    /// Whether the period includes a time in the zone of a clock. Without an end, it includes the latest time.
    func includes(_ time: Timestamp, by clock: LocalClock) -> Bool {
        let span = span(by: clock)
        return span.contains(time) || until == nil && time == .latest
    }
}

extension SectionPeriod: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        from = object.optional("from") { time throws(JSONReadError) in try Self.time(time) }
        until = object.optional("until") { time throws(JSONReadError) in try Self.time(time) }
        if let from, let until, !Self.isOrdered(from, until) {
            object.report(.outOfRange, at: "until", "expected a time after \(from.canonical), found \(until.canonical)")
        }
        let isEmpty = !object.has("from") && !object.has("until")
        try object.finish()
        if isEmpty {
            throw json.refuse(
                .missingKey, "expected the key \"from\", \"until\" or both", hint: "omit \"during\" if the section always exists")
        }
    }

    /// Whether the end can be after the start. An instant and a wall clock are compared in each storefront instead.
    private static func isOrdered(_ from: PlannedTime, _ until: PlannedTime) -> Bool {
        switch (from, until) {
        case (.instant(let from), .instant(let until)): from < until
        case (.wallClock(let from), .wallClock(let until)): from < until
        case (.instant, .wallClock), (.wallClock, .instant): true
        }
    }

    private static func time(_ json: JSONReader) throws(JSONReadError) -> PlannedTime {
        let text = try json.decode(as: String.self)
        guard let time = PlannedTime(text) else {
            throw json.refuse(
                .invalidFormat, "expected a time such as 2026-03-01T09:30:00Z, or 2026-03-01T09:30 for the clock of each storefront",
                hint: suggestion(for: text))
        }
        let isInRange =
            switch time {
            case .instant(let instant): times.contains(instant)
            case .wallClock(let local): local.isWithin(times)
            }
        guard isInRange else { throw json.refuse(.outOfRange, "expected a time from 1970 to 2199") }
        return time
    }

    /// Returns the correction of a local time that has a space, no clock or seconds.
    private static func suggestion(for text: String) -> String? {
        guard let local = LocalTime(text) else { return nil }
        let parts = local.description.split(separator: " ")
        let isWholeMinute = parts[1].utf8.count == 5
        let minutes = "\(parts[0])T\(parts[1].prefix(5))"
        return isWholeMinute
            ? "write \"\(minutes)\" for the clock of each storefront"
            : "write \"\(minutes)\", because clocks of storefronts have whole minutes, or add an offset such as Z"
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("from", from?.canonical)
        json.member("until", until?.canonical)
    }
}

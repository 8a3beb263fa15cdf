package import JSON
package import Values

/// The next start or end of a publication.
package struct ScheduledChange: Sendable, Equatable {
    package enum Event: String, CaseIterable, Sendable, JSONDecodable { case start, end }

    package let at: Timestamp
    package let event: Event
    package let publication: Publication
    /// The live revision of the feed from then on, or nil if it has none.
    package let revision: Int?
}

extension ScheduledChange {
    /// Returns the earliest change after a time, and the first feed by key if several change at the same time. Returns
    /// nil if none is scheduled.
    static func next(after time: Timestamp, among publications: [Publication]) -> ScheduledChange? {
        let schedules = Dictionary(grouping: publications, by: \.feed).mapValues { Schedule($0) }
        let changes = schedules.compactMap { feed, schedule in schedule.change(after: time).map { (at: $0, feed: feed) } }
        guard let next = changes.min(by: { ($0.at, $0.feed) < ($1.at, $1.feed) }), let schedule = schedules[next.feed] else { return nil }
        // On the base, the end of a publication is the start of the next one.
        let live = schedule.live(at: next.at)
        let starting = live?.from == next.at ? live : schedule.publications.last { $0.from == next.at }
        guard let publication = starting ?? schedule.publications.last(where: { $0.until == next.at }) else { return nil }
        return ScheduledChange(
            at: next.at, event: starting == nil ? .end : .start, publication: publication, revision: live?.revision)
    }
}

extension ScheduledChange: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("at", at.description)
        json.member("event", event.rawValue)
        json.member("publication", publication)
        json.member("revision", revision)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        at = try object.value("at")
        event = try object.value("event")
        publication = try object.value("publication")
        revision = object.essential("revision")
    }
}

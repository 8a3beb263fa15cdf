package import JSON
package import Values

/// The next start or end of a publication, with the storefronts in which it happens at that time.
package struct ScheduledChange: Sendable, Equatable {
    package enum Event: String, CaseIterable, Sendable, JSONDecodable { case start, end }

    package let at: Timestamp
    package let event: Event
    package let publication: Publication
    package let storefronts: [String]
    /// The live revision of the feed there from then on, or nil if it has none.
    package let revision: Int?
}

extension ScheduledChange {
    /// Returns the earliest change after a time, and the first feed by key if several change at the same time. The
    /// result is nil if no change is scheduled.
    static func next(after time: Timestamp, among publications: [Publication]) -> ScheduledChange? {
        let feeds = Dictionary(grouping: publications, by: \.feed).mapValues { Schedule.all(of: $0) }
        let changes = feeds.flatMap { feed, schedules in
            schedules.compactMap { storefront, schedule in
                schedule.change(after: time).map { (at: $0, feed: feed, storefront: storefront) }
            }
        }
        guard let next = changes.min(by: { ($0.at, $0.feed, $0.storefront) < ($1.at, $1.feed, $1.storefront) }) else { return nil }
        let alike = changes.filter { $0.at == next.at && $0.feed == next.feed }.map(\.storefront).sorted().compactMap { storefront in
            feeds[next.feed]?[storefront].flatMap { change(at: next.at, in: $0) }.map { (storefront, $0) }
        }
        guard let first = alike.first?.1 else { return nil }
        let storefronts = alike.filter { $0.1 == first }.map(\.0)
        return ScheduledChange(
            at: next.at, event: first.event, publication: first.publication, storefronts: storefronts, revision: first.revision)
    }

    /// Returns the change at a time in one storefront.
    private static func change(at time: Timestamp, in schedule: Schedule) -> ScheduledChange? {
        // On the base, the end of a publication is the start of the next one.
        let live = schedule.live(at: time)
        let starting = live?.from == time ? live : schedule.entries.last { $0.from == time }
        guard let entry = starting ?? schedule.entries.last(where: { $0.until == time }) else { return nil }
        return ScheduledChange(
            at: time, event: starting == nil ? .end : .start, publication: entry.publication, storefronts: [], revision: live?.revision)
    }
}

extension ScheduledChange: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("at", at.description)
        json.member("event", event.rawValue)
        json.member("publication", publication)
        json.member("storefronts", storefronts)
        json.member("revision", revision)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        at = try object.value("at")
        event = try object.value("event")
        publication = try object.value("publication")
        storefronts = try object.value("storefronts")
        revision = object.essential("revision")
    }
}

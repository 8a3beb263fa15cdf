import Feeds
import JSON
import Testing
import Values

@Suite("The status of a server")
struct ServerStatusTests {
    private static let now = Timestamp(clamping: 1_772_355_600_000_000)

    private static func at(_ hours: Int) -> Timestamp { now.advanced(by: .seconds(hours * 3_600)) }

    private static func publication(
        _ id: Int, of feed: String = "today", _ revision: Int, _ layer: Publication.Layer = .base, from: Int, until: Int? = nil
    ) -> Publication {
        publication(id, of: feed, revision, layer, from: at(from), until: until.map(at))
    }

    private static func publication(
        _ id: Int, of feed: String = "today", _ revision: Int, _ layer: Publication.Layer = .base, from: Timestamp, until: Timestamp?,
        in storefronts: [String] = ["de", "us"]
    ) -> Publication {
        Publication(
            id: id, feed: feed, layer: layer, revision: revision, from: .instant(from), until: until.map { .instant($0) },
            spans: storefronts.map { .init(storefront: $0, from: from, until: until) })
    }

    private static func summary(_ feed: String = "today", live: Int? = 1, isArchived: Bool = false) -> FeedSummary {
        FeedSummary(
            key: feed, archivedAt: isArchived ? now : nil, draft: 1,
            live: live.map { [LiveRevision(storefronts: ["de", "us"], revision: $0, layer: .base, until: nil)] } ?? [])
    }

    /// Returns the facts of two storefronts that show revision 1 of `today`.
    private static func facts(
        _ publications: [Publication] = [publication(1, 1, from: -24)], feeds: [FeedSummary] = [summary()], hasLeader: Bool = true,
        inGermany revision: Int? = 1, drafts: [StatusFacts.Draft] = [], unindexed: Int = 0,
        failedImport: Int? = nil
    ) -> StatusFacts {
        func storefront(_ key: String, _ revision: Int?) -> ServerStatus.Storefront {
            let feeds = revision.map { [ServerStatus.PublishedFeed(feed: "today", revision: $0, sectionCount: 3)] }
            return ServerStatus.Storefront(key: key, feeds: feeds ?? [])
        }
        var facts = StatusFacts(
            time: now, version: 7, hasLeader: hasLeader, pendingChangeCount: 0, pendingItemCount: 0, unindexedItemCount: unindexed,
            storefronts: [storefront("de", revision), storefront("us", 1)], drafts: drafts)
        facts.failedImport = failedImport
        facts.feeds = feeds
        facts.publications = publications
        return facts
    }

    private static func warnings(_ facts: StatusFacts) -> [StatusWarning] { ServerStatus(facts).warnings }

    @Test("A server on which everything is published and nothing fails has no warnings and no next change")
    func calm() {
        let status = ServerStatus(Self.facts())
        #expect(status.warnings.isEmpty && status.nextChange == nil)
        #expect(Self.warnings(Self.facts([], feeds: [])).isEmpty)
    }

    @Test("A server without a leader has a warning")
    func leader() {
        #expect(Self.warnings(Self.facts(hasLeader: false)).map(\.code) == ["sequencerStopped"])
    }

    @Test("Changes that wait for more than ten minutes have a warning with their time, if a process publishes changes")
    func pendingChanges() {
        func codes(hasLeader: Bool = true, since seconds: Int) -> [String] {
            var facts = Self.facts(hasLeader: hasLeader)
            facts.pendingSince = Self.now.advanced(by: .seconds(-seconds))
            return Self.warnings(facts).map(\.code)
        }
        #expect(codes(since: 599).isEmpty && codes(since: 601) == ["changesDelayed"])
        #expect(codes(hasLeader: false, since: 601) == ["sequencerStopped"])
        var facts = Self.facts()
        facts.pendingSince = Self.at(-1)
        #expect(Self.warnings(facts).first?.message.hasPrefix("Changes since 2026-03-01T08:00:00Z are not published.") == true)
    }

    @Test("A feed or a storefront that changed just now has no warning of a delay")
    func pendingKeys() {
        var facts = Self.facts(inGermany: nil)
        facts.pendingKeys.feeds = ["games"]
        facts.pendingKeys.storefronts = ["us"]
        #expect(Self.warnings(facts).map(\.code) == ["publicationDelayed"])
        facts.pendingKeys.feeds = ["today"]
        #expect(Self.warnings(facts).isEmpty)
        (facts.pendingKeys.feeds, facts.pendingKeys.storefronts) = ([], ["de"])
        #expect(Self.warnings(facts).isEmpty)
        (facts.pendingKeys.storefronts, facts.pendingKeys.spans) = ([], ["today/us"])
        #expect(Self.warnings(facts).map(\.code) == ["publicationDelayed"])
        facts.pendingKeys.spans = ["today/de"]
        #expect(Self.warnings(facts).isEmpty)
    }

    @Test("A publication that clients of a storefront do not see has a warning after half a minute", arguments: [nil, 2])
    func delay(revision: Int?) {
        let late = Self.warnings(Self.facts(inGermany: revision))
        #expect(late.map(\.code) == ["publicationDelayed"] && late.first?.storefronts == ["de"] && late.first?.feed == "today")
        let recent = Self.publication(1, 1, from: Self.now.advanced(by: .seconds(-20)), until: nil)
        #expect(Self.warnings(Self.facts([recent], inGermany: revision)).isEmpty)
        // The base is live again since the end of the takeover.
        func afterTakeover(ended seconds: Int) -> StatusFacts {
            let end = Self.now.advanced(by: .seconds(-seconds))
            let takeover = Self.publication(2, 2, .takeover, from: Self.at(-9), until: end)
            return Self.facts([Self.publication(1, 1, from: -24), takeover], inGermany: revision)
        }
        #expect(Self.warnings(afterTakeover(ended: 20)).isEmpty)
        #expect(Self.warnings(afterTakeover(ended: 40)).map(\.code) == ["publicationDelayed"])
    }

    @Test("A feed that is not live and that clients still see has a warning, unless it ended or was archived just now")
    func remains() {
        let base = Self.publication(1, 1, from: -24, until: -1)
        let ended = Self.warnings(Self.facts([], feeds: [Self.summary(live: nil)]))
        #expect(ended.map(\.code) == ["publicationDelayed"] && ended.first?.storefronts == ["de", "us"])
        #expect(ended.first?.message.contains("'today' is not live, but clients in de and us still see it") == true)
        #expect(Self.warnings(Self.facts([base], feeds: [Self.summary(live: nil)])).map(\.code) == ["publicationDelayed"])
        let recent = Self.publication(1, 1, from: Self.at(-9), until: Self.now.advanced(by: .seconds(-20)))
        #expect(Self.warnings(Self.facts([recent], feeds: [Self.summary(live: nil)])).isEmpty)
        #expect(Self.warnings(Self.facts(feeds: [Self.summary(isArchived: true)])).isEmpty)
        let archived = FeedSummary(key: "today", archivedAt: Self.at(-1), draft: 1, live: [])
        #expect(Self.warnings(Self.facts(feeds: [archived])).map(\.code) == ["publicationDelayed"])
    }

    @Test("Drafts, items that cannot be indexed, a failed import and expiring tokens have warnings with their names")
    func others() {
        var facts = Self.facts(
            drafts: [StatusFacts.Draft(feed: "today", revision: 4, differsSince: Self.at(-400))], unindexed: 2, failedImport: 9)
        facts.expiringTokens = [StatusFacts.Token(name: "ci", expiresAt: Self.at(5))]
        let found = Self.warnings(facts)
        #expect(found.map(\.code) == ["draftUnpublished", "itemsNotIndexed", "importFailed", "tokenExpiring"])
        for (warning, word) in zip(found, ["Draft 4 of 'today'", "2 items", "import, 9,", "'ci' expires at 2026-03-01T14:00:00Z"]) {
            #expect(warning.message.contains(word), "\(warning.message)")
        }
    }

    @Test("Storefronts with other schedules have their own warnings and changes")
    func storefronts() {
        let base = Self.publication(1, 1, from: -24)
        let takeover = Self.publication(2, 2, .takeover, from: Self.at(2), until: Self.at(4), in: ["us"])
        let local = Self.publication(3, 3, from: Self.at(-5), until: nil, in: ["de"])
        let next = ServerStatus(Self.facts([base, takeover])).nextChange
        #expect(next?.at == Self.at(2) && next?.storefronts == ["us"] && next?.publication.id == 2)
        let us = Self.publication(1, 1, from: Self.at(-24), until: nil, in: ["us"])
        #expect(Self.warnings(Self.facts([us, local], inGermany: 3)).isEmpty)
        #expect(Self.warnings(Self.facts([us, local])).map(\.storefronts) == [["de"]])
    }

    /// A schedule of `today`, and the next change: the hour, the event, the publication and the live revision after it.
    struct Next: Sendable {
        let publications: [Publication]
        let hour: Int
        let event: ScheduledChange.Event
        let publication: Int
        let revision: Int?
    }

    @Test(
        "The next change is the earliest start or end of a publication",
        arguments: [
            Next(
                publications: [publication(1, 1, from: -24, until: 5), publication(2, 2, from: 5)], hour: 5, event: .start, publication: 2,
                revision: 2),
            Next(
                publications: [publication(1, 1, from: -24), publication(2, 2, .takeover, from: 1, until: 3)], hour: 1, event: .start,
                publication: 2, revision: 2),
            Next(
                publications: [publication(1, 1, from: -24), publication(2, 2, .takeover, from: -1, until: 3)], hour: 3, event: .end,
                publication: 2, revision: 1),
            Next(publications: [publication(2, 2, .takeover, from: -1, until: 3)], hour: 3, event: .end, publication: 2, revision: nil),
            Next(
                publications: [
                    publication(1, 1, from: -24, until: 2), publication(2, 2, .takeover, from: -1, until: 3), publication(3, 3, from: 2),
                ], hour: 2, event: .start, publication: 3, revision: 2),
            // The takeover is the one that clients see.
            Next(
                publications: [publication(4, 4, .takeover, from: 2, until: 3), publication(5, 5, from: 2)], hour: 2, event: .start,
                publication: 4, revision: 4),
        ])
    func nextChange(next: Next) {
        let change = ServerStatus(Self.facts(next.publications)).nextChange
        #expect(change?.at == Self.at(next.hour) && change?.event == next.event)
        #expect(change?.publication.id == next.publication && change?.revision == next.revision)
    }

    @Test("Of changes at the same time, the next is of the first feed, and archived feeds have none")
    func order() {
        let publications = ["apps", "games", "food"].map { Self.publication(1, of: $0, 1, from: 2) }
        let feeds = ["apps", "food", "games"].map { Self.summary($0, live: nil, isArchived: $0 == "apps") }
        #expect(ServerStatus(Self.facts(publications, feeds: feeds)).nextChange?.publication.feed == "food")
    }

    @Test("A status is decoded as it was encoded, and the code of a newer server is kept")
    func coding() throws {
        let status = ServerStatus(
            Self.facts([Self.publication(1, 1, from: -24), Self.publication(2, 2, .takeover, from: 1, until: 3)], hasLeader: false))
        var document = JSONValue(try JSONDocument(parsing: status.json()).root)
        let read = try JSONDocument(parsing: document.json()).decodeLeniently(ServerStatus.self).value
        #expect(try read.json() == status.json() && read.nextChange == status.nextChange && read.warnings == status.warnings)
        document["findings"] = nil
        #expect(try JSONDocument(parsing: document.json()).decodeLeniently(ServerStatus.self).value.findings.isEmpty)
        let warnings = #"[{"code": "later", "message": "x"}]"#
        document["warnings"] = JSONValue(try JSONDocument(parsing: Array(warnings.utf8)).root)
        let later = try JSONDocument(parsing: document.json()).decodeLeniently(ServerStatus.self).value
        #expect(later.warnings.map(\.code) == ["later"])
    }
}

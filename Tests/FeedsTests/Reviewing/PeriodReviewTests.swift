import Feeds
import Items
import JSON
import Layout
import ScreenFiles
import Security
import Testing
import Values

@Suite("The review of the periods of sections")
struct PeriodReviewTests {
    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    /// Returns the findings of publishing a section with a period from February 8 to March 9, 2027 in UTC, in three
    /// storefronts whose clocks are some hours ahead of UTC.
    private func findings(
        _ during: String, _ more: String = #""rule": {"kind": "topApp"}"#, items: [ItemReference: ReviewContext.Availability] = [:],
        openings: [FeedKey: FeedOpenings] = [:]
    ) throws -> [ReviewFinding] {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "iftar", "layout": {"list": {}}, "cell": "row", "during": \#(during), \#(more)}]}
            """#
        let document = try FeedDocument(parsing: Array(text.utf8))
        let english = try #require(LocaleTag("en"))
        var context = ReviewContext()
        context.items = items
        context.openings = openings
        for (key, hours) in [("jp", 9), ("sa", 3), ("us", -5)] {
            context.storefronts.append(
                Storefront(key: key, currency: "USD", timeZone: "UTC", locales: [english], defaultLocale: english))
            var instants: [LocalTime: Timestamp] = [:]
            for case .wallClock(let local) in document.wallClocks {
                instants[local] = try time("\(PlannedTime.wallClock(local)):00Z").advanced(by: .seconds(-3_600 * hours))
            }
            context.clocks[key] = LocalClock(instants)
        }
        let publication = try time("2027-02-08T15:00:00Z")..<time("2027-03-09T00:00:00Z")
        return PublicationReviewer(
            of: document, in: context, during: context.always(publication), on: try ScreenMatrix.builtIn(), hashedBy: Digest.sha256
        ).findings.filter { [.emptyDuring, .deadAction, .unavailablePin, .partlyAvailablePin].contains($0.code) }
    }

    private func reported(_ findings: [ReviewFinding]) -> [String] {
        findings.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.pointer) \($0.message)" }
    }

    @Test("A period that overlaps the publication everywhere has no finding")
    func within() throws {
        #expect(try findings(#"{"from": "2027-02-10T18:00", "until": "2027-02-11T02:00"}"#).isEmpty)
        #expect(try findings(#"{"from": "2020-01-01T00:00"}"#).isEmpty)
        #expect(try findings(#"{"until": "2100-01-01T00:00"}"#).isEmpty)
    }

    @Test("A period that is outside of the publication in some storefronts is a warning about these")
    func outside() throws {
        // It ends in Japan at 09:00Z, in Saudi Arabia at 15:00Z, when the publication starts, and in the United States at 23:00Z.
        #expect(
            try reported(findings(#"{"until": "2027-02-08T18:00"}"#)) == [
                "warning EMPTY_DURING /sections/0/during the section is never shown in jp, sa, because its period there is outside of the publication"
            ])
        #expect(
            try reported(findings(#"{"from": "2027-03-09T03:00"}"#)) == [
                "warning EMPTY_DURING /sections/0/during the section is never shown in sa, us, because its period there is outside of the publication"
            ])
    }

    @Test("A period that is empty in some storefronts is a warning about these, and its other storefronts are reviewed")
    func empty() throws {
        let found = try findings(#"{"from": "2027-02-20T12:00:00Z", "until": "2027-02-20T18:00"}"#)
        #expect(
            reported(found) == [
                "warning EMPTY_DURING /sections/0/during the section is never shown in jp, because its period there ends before it starts, or consists of times that the clocks skip"
            ])
        #expect(found[0].section?.text == "iftar" && !found[0].help.isEmpty)
    }

    @Test("A storefront that the target does not include has no finding about the period")
    func target() throws {
        let target = #""rule": {"kind": "topApp"}, "target": {"storefronts": ["us"]}"#
        #expect(try findings(#"{"until": "2027-02-08T18:00"}"#, target).isEmpty)
    }

    @Test("A pin has to be available only while its section exists")
    func pins() throws {
        let times = try time("2027-02-20T00:00:00Z")..<time("2027-02-22T00:00:00Z")
        let items: [ItemReference: ReviewContext.Availability] = [.slug(.topApp, "a"): .at(["jp": [times], "sa": [times], "us": [times]])]
        let pins = #""pins": [{"slot": 0, "item": "topapp:a"}]"#
        func codes(_ during: String) throws -> [String] { try findings(during, pins, items: items).map(\.code.rawValue) }
        #expect(try codes(#"{"from": "2027-02-20T18:00", "until": "2027-02-21T12:00"}"#) == [])
        // The section starts at three times, but the item becomes unavailable everywhere at one.
        let late = try findings(#"{"from": "2027-02-20T18:00"}"#, pins, items: items)
        #expect(late.map(\.code.rawValue) == ["PARTLY_AVAILABLE_PIN"])
        #expect(late.first?.message.contains("in jp, sa, us, topapp:a is available only until 2027-02-22T00:00:00") == true, "\(late)")
        #expect(try codes(#"{"from": "2027-02-25T18:00"}"#) == ["UNAVAILABLE_PIN"])
    }

    @Test("An action to a list is dead while the section of the list does not exist, by the clock of each storefront")
    func actions() throws {
        let (other, bazaar) = (try #require(FeedKey("bazaar")), try #require(SectionKey("lamps")))
        let lamps = #"""
            {"format": 2, "feed": "bazaar", "title": {"en": "Bazaar"}, "sections": [
                {"key": "lamps", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}},
                 "during": {"from": "2027-02-20T12:00:00Z", "until": "2027-02-28T12:00:00Z"}}]}
            """#
        let document = try FeedDocument(parsing: Array(lamps.utf8))
        #expect(FeedOpenings.periods(of: document)[bazaar] != nil)
        let openings = [
            other: FeedOpenings([
                .init(
                    layer: .base, during: .earliest..<(.latest), lists: FeedOpenings.lists(of: document),
                    periods: FeedOpenings.periods(of: document))
            ])
        ]
        let pins = #""pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "Lamps"}, "action": {"list": "bazaar/lamps"}}}]"#
        #expect(try findings(#"{"from": "2027-02-21T18:00", "until": "2027-02-22T12:00"}"#, pins, openings: openings).isEmpty)
        #expect(
            try reported(findings(#"{"from": "2027-02-20T18:00", "until": "2027-02-22T12:00"}"#, pins, openings: openings)) == [
                "warning DEAD_ACTION /sections/0/pins/0/card/action/list the list bazaar/lamps is not shown in jp for a part of the period of the section"
            ])
    }
}

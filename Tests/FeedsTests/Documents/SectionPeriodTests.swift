import Feeds
import JSON
import Testing
import Values

@Suite("The period of a section")
struct SectionPeriodTests {
    private func document(_ during: String?, _ more: String = "") throws -> FeedDocument {
        try FeedDocument(parsing: Array(ExampleFeed.document(["during": during], sections: more).utf8))
    }

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    /// Returns a clock that is ahead of UTC by some hours.
    private func clock(_ hours: Int, _ document: FeedDocument) throws -> LocalClock {
        var instants: [LocalTime: Timestamp] = [:]
        for case .wallClock(let local) in document.wallClocks {
            instants[local] = try time("\(PlannedTime.wallClock(local)):00Z").advanced(by: .seconds(-3_600 * hours))
        }
        return LocalClock(instants)
    }

    @Test("A section exists from its start until before its end, by the clock of the storefront")
    func wallClocks() throws {
        let document = try document(#"{"from": "2027-02-08T18:00", "until": "2027-03-09T02:00"}"#)
        for (hours, start, end) in [
            (3, "2027-02-08T15:00:00Z", "2027-03-08T23:00:00Z"), (-5, "2027-02-08T23:00:00Z", "2027-03-09T07:00:00Z"),
        ] {
            let clock = try clock(hours, document)
            let (start, end) = (try time(start), try time(end))
            for (time, exists) in [
                (Timestamp.earliest, false), (start.advanced(by: .microseconds(-1)), false), (start, true),
                (end.advanced(by: .microseconds(-1)), true), (end, false), (.latest, false),
            ] { #expect(document.sections(in: "us", at: time, by: clock).isEmpty != exists, "\(hours) \(time)") }
            #expect(document.nextSwitch(in: "us", after: .earliest, by: clock) == start)
            #expect(document.nextSwitch(in: "us", after: start, by: clock) == end)
            #expect(document.nextSwitch(in: "us", after: end, by: clock) == nil)
        }
    }

    @Test("An instant is the same on each clock, and needs none")
    func instants() throws {
        let document = try document(#"{"until": "2027-02-08T18:00:00+03:00"}"#)
        let end = try time("2027-02-08T15:00:00Z")
        #expect(document.wallClocks.isEmpty)
        #expect(document.sections(in: "us", at: .earliest, by: LocalClock()).count == 1)
        #expect(document.sections(in: "us", at: end, by: LocalClock()).isEmpty)
        #expect(document.nextSwitch(in: "us", after: .earliest, by: LocalClock()) == end)
    }

    @Test("A period between an instant and a wall clock is empty where the wall clock is not after the instant, and never switches")
    func mixed() throws {
        let document = try document(#"{"from": "2027-02-08T12:00:00Z", "until": "2027-02-08T18:00"}"#)
        let (east, west) = (try clock(9, document), try clock(-5, document))
        #expect(document.nextSwitch(in: "jp", after: .earliest, by: east) == nil)
        #expect(document.sections(in: "jp", at: try time("2027-02-08T12:00:00Z"), by: east).isEmpty)
        #expect(try document.nextSwitch(in: "us", after: .earliest, by: west) == time("2027-02-08T12:00:00Z"))
    }

    @Test("Sections for other storefronts do not switch, and sections without a period always exist")
    func targets() throws {
        let document = try document(
            nil,
            #"""
            , {"key": "sa", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "during": {"from": "2027-02-08T15:00:00Z"},
               "target": {"storefronts": ["sa"]}}
            """#)
        #expect(document.nextSwitch(in: "us", after: .earliest, by: LocalClock()) == nil)
        #expect(try document.nextSwitch(in: "sa", after: .earliest, by: LocalClock()) == time("2027-02-08T15:00:00Z"))
        #expect(document.sections(in: "us", at: .earliest, by: LocalClock()).map(\.key.text) == ["hero"])
        #expect(document.sections(in: "sa", at: .latest, by: LocalClock()).map(\.key.text) == ["hero", "sa"])
    }

    @Test("Format 1 has no periods")
    func format1() {
        let text = ExampleFeed.document(["during": #"{"from": "2027-02-08T18:00"}"#], feed: ["format": nil])
        #expect {
            _ = try FeedDocument(parsing: Array(text.utf8))
        } throws: { error in
            (error as? JSONError)?.issues.map { "\($0.pointer) \($0.code.rawValue)" } == ["/sections/0/during UNKNOWN_KEY"]
        }
    }

    @Test(
        "The hint for an invalid bound has the time in the right form",
        arguments: [
            ("2027-02-08 18:00", "2027-02-08T18:00"), ("2027-02-08", "2027-02-08T00:00"), ("2027-02-08T18:00:00", "2027-02-08T18:00"),
            ("2027-02-08 18:00:30", "2027-02-08T18:00"),
        ])
    func hints(text: String, correction: String) throws {
        do throws(JSONError) {
            _ = try FeedDocument(parsing: Array(ExampleFeed.document(["during": #"{"from": "\#(text)"}"#]).utf8))
            Issue.record("\(text) is read")
        } catch {
            let issue = try #require(error.issues.first)
            #expect(issue.pointer.description == "/sections/0/during/from")
            #expect(issue.hint?.contains("\"\(correction)\"") == true, "\(issue)")
        }
        #expect(throws: Never.self) { try document(#"{"from": "\#(correction)"}"#) }
    }
}

import JSON
import Layout
import Testing
import Values

@testable import Feeds

@Suite("Live findings")
struct LiveFindingTests {
    private static let now = Timestamp(clamping: 1_772_355_600_000_000)

    private static func at(_ hours: Int) -> Timestamp { now.advanced(by: .seconds(hours * 3_600)) }

    private static func record(
        _ code: LiveFinding.Code, _ subject: String = "", in storefront: String, of feed: String = "today", revision: Int = 1,
        at pointer: String = "/sections/2", _ message: String = "m", since: Int = 0
    ) -> RecordedFinding {
        RecordedFinding(
            StorefrontFinding(code, subject, revision: revision, at: JSONPointer(pointer) ?? .root, message, "h"),
            in: StorefrontFeed(storefront: storefront, feed: feed), since: at(since))
    }

    @Test("Storefronts with the same problem share a finding with the first of their times, and other revisions have their own")
    func merged() {
        let merged = LiveFinding.merged([
            Self.record(.pinGone, "hero/a", in: "us", since: -1), Self.record(.pinGone, "hero/a", in: "de", since: -2),
            Self.record(.pinGone, "hero/a", in: "sa", revision: 2), Self.record(.pinGone, "hero/b", in: "us"),
            Self.record(.pinGone, "hero/a", in: "us", of: "apps"),
        ])
        #expect(merged.map(\.feed) == ["apps", "today", "today", "today"])
        let shared = merged.filter { $0.storefronts.count > 1 }
        #expect(shared.count == 1 && shared.first?.storefronts == ["de", "us"] && shared.first?.since == Self.at(-2))
    }

    @Test("Errors come first, then feeds and locations in the order of the document")
    func order() {
        let merged = LiveFinding.merged([
            Self.record(.pinGone, "a", in: "us", at: "/sections/10/pins/0/item"), Self.record(.pinGone, "b", in: "us", at: "/sections/9"),
            Self.record(.feedEmpty, in: "us", of: "zoo", at: ""),
        ])
        #expect(merged.map(\.pointer.description) == ["", "/sections/9", "/sections/10/pins/0/item"])
        #expect(merged.map(\.severity) == [.error, .warning, .warning])
    }

    @Test("A report is decoded as it was encoded, and the code of a newer server is kept")
    func coding() throws {
        let records = [Self.record(.pinGone, "hero/a", in: "us"), Self.record(.feedEmpty, in: "de", at: "")]
        let report = HealthReport(checkedAt: Self.now, findings: LiveFinding.merged(records))
        var document = JSONValue(try JSONDocument(parsing: report.json()).root)
        #expect(try JSONDocument(parsing: document.json()).decodeLeniently(HealthReport.self).value == report)
        let later =
            #"[{"code": "LATER", "severity": "error", "since": "2026-03-01T09:00:00Z", "feed": "f", "storefronts": [], "pointer": "", "message": "m"}]"#
        document["findings"] = JSONValue(try JSONDocument(parsing: Array(later.utf8)).root)
        #expect(try JSONDocument(parsing: document.json()).decodeLeniently(HealthReport.self).value.findings.map(\.code) == ["LATER"])
    }

    // MARK: Schedules

    private static func takeover(from start: Int, until end: Int?, isAboveBase: Bool = true) -> TakeoverAhead {
        TakeoverAhead(publication: 7, revision: 2, start: at(start), end: end.map(at), isAboveBase: isAboveBase)
    }

    @Test("A live takeover has a finding from 24 hours before its end until then, and wakes the sequencer for it")
    func takeoverEnds() {
        func codes(_ takeover: TakeoverAhead, at time: Timestamp = Self.now) -> [String] {
            takeover.findings(at: time).map(\.identity.code)
        }
        let long = Self.takeover(from: -9, until: 30)
        #expect(codes(long).isEmpty && long.nextFinding(after: Self.now) == Self.at(6))
        #expect(codes(long, at: Self.at(6).advanced(by: .microseconds(-1))).isEmpty)
        #expect(codes(long, at: Self.at(6)) == ["TAKEOVER_ENDS"] && long.nextFinding(after: Self.at(6)) == nil)
        #expect(codes(long, at: Self.at(30)).isEmpty)
        let short = Self.takeover(from: 2, until: 8)
        #expect(codes(short).isEmpty && short.nextFinding(after: Self.now) == Self.at(2))
        #expect(codes(short, at: Self.at(2)) == ["TAKEOVER_ENDS"] && short.nextFinding(after: Self.at(2)) == nil)
        let open = Self.takeover(from: -9, until: nil)
        #expect(codes(open).isEmpty && open.nextFinding(after: Self.now) == nil)
        #expect(long.findings(at: Self.at(6)).first?.message == "publication 7, the live takeover, ends at 2026-03-02T15:00:00Z")
    }

    @Test("A takeover without a base below it has a finding before and while it lasts")
    func noBase() {
        for start in [-1, 1] {
            let findings = Self.takeover(from: start, until: 48, isAboveBase: false).findings(at: Self.now)
            #expect(findings.map(\.identity) == [.init("NO_BASE", "7")])
        }
        #expect(Self.takeover(from: -1, until: nil, isAboveBase: false).findings(at: Self.now).map(\.identity.code) == ["NO_BASE"])
        #expect(Self.takeover(from: -9, until: -1, isAboveBase: false).findings(at: Self.now).isEmpty)
    }

    @Test("A moved span states its earlier bounds, and one that could not move is an error")
    func movedSpans() {
        func moving(_ isMoved: Bool, from previous: Int) -> MovedSpan {
            MovedSpan(
                publication: 7, revision: 2, isMoved: isMoved, start: Self.at(2), end: Self.at(5), previousStart: Self.at(previous),
                previousEnd: Self.at(5))
        }
        func span(_ isMoved: Bool, from previous: Int) -> StorefrontFinding { moving(isMoved, from: previous).finding }
        // Each bound that passes can end the finding.
        #expect([0, 2, 5].map { moving(true, from: 1).nextBound(after: Self.at($0)) } == [Self.at(2), Self.at(5), nil])
        let moved = span(true, from: 1)
        #expect(moved.identity == .init("SPAN_MOVED", "7") && moved.severity == .warning)
        #expect(moved.message.hasSuffix("so publication 7 starts at 2026-03-01T11:00:00Z instead of 2026-03-01T10:00:00Z"))
        let stayed = span(false, from: 2)
        #expect(stayed.identity == .init("SPAN_NOT_MOVED", "7") && stayed.severity == .error)
        #expect(stayed.message.contains("publication 7 keeps its previous period, from 2026-03-01T11:00:00Z until 2026-03-01T14:00:00Z"))
    }
}

import Feeds
import JSON
import Testing

@Suite("The responses that commands decide on") struct ResponseDecodingTests {
    /// The type of a response, a complete document of it, and invalid values that must not be decoded as absent.
    struct Response: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let unreadable: [(key: String, value: String)]
        private let isReadable: @Sendable (JSONNode) -> Bool

        init<Value: JSONDecodable & SendableMetatype>(type: Value.Type, text: String, unreadable: [(key: String, value: String)]) {
            testDescription = "\(type)"
            self.text = text
            self.unreadable = unreadable
            isReadable = { $0.decodeLeniently(Value.self) != nil }
        }

        func isRead(with members: [(key: String, value: String)] = []) throws -> Bool {
            var document: JSONValue = try Self.value(text)
            for (key, value) in members { document[key] = try Self.value(value) }
            return isReadable(try JSONDocument(parsing: document.json()).root)
        }

        private static func value(_ text: String) throws -> JSONValue { JSONValue(try JSONDocument(parsing: Array(text.utf8)).root) }
    }

    private static let publication =
        #"{"id": 1, "feed": "today", "layer": "base", "revision": 3, "from": "2026-03-01T12:00:00Z", "spans": []}"#
    private static let finding = #"{"severity": "error", "code": "EMPTY", "pointer": "", "message": "empty"}"#
    private static let time = (key: "until", value: #""some time""#)

    static let responses = [
        Response(
            type: FeedState.self,
            text: #"{"feed": "today", "live": [], "bases": [], "rollback": [], "lines": [], "publications": [\#(publication)]}"#,
            unreadable: [
                ("lines", #"[{"revision": "3"}]"#), ("live", #"[{"storefronts": [], "revision": 3, "layer": "another"}]"#),
                ("live", #"[{"storefronts": [], "revision": 3, "layer": "base", "until": 1}]"#), ("archivedAt", #""some time""#),
                ("publications", "[1]"), ("bases", "[1]"), ("rollback", #"[{"storefronts": ["us"], "revision": "1"}]"#),
            ]),
        Response(
            type: FeedSummary.self, text: #"{"feed": "today", "live": []}"#,
            unreadable: [("archivedAt", "1"), ("draftRevision", #""1""#), ("live", "1")]),
        Response(
            type: Publication.self, text: publication,
            unreadable: [
                ("layer", #""another""#), time, ("storefronts", "1"), ("canceledAt", "1"), ("spans", #"[{"storefront": "us", "from": 1}]"#),
            ]),
        Response(
            type: PublicationPlan.self,
            text: #"{"feed": "today", "layer": "base", "starts": [], "comparisons": [], "findings": [\#(finding)]}"#,
            unreadable: [
                ("conflictingPublications", "[1]"), ("localBases", "[1]"), ("findings", "[1]"), ("from", "1"), time,
                ("starts", #"[{"storefronts": ["us"], "toRevision": 3, "fromRevision": "2"}]"#),
                ("starts", #"[{"storefronts": ["us"], "toRevision": 3, "activeTakeover": 1}]"#),
                ("starts", #"[{"storefronts": ["us"], "toRevision": 3, "diffLines": 1}]"#),
                ("skipped", "1"), ("layouts", "[1]"), ("archivedAt", "1"),
            ]),
        Response(
            type: PlannedChange.self, text: #"{"feed": "today", "line": "main", "action": "update"}"#,
            unreadable: [
                ("action", #""another""#), ("publishes", "1"), ("restores", "1"), ("replacesDraft", "1"), ("line", "1"),
                ("draftRevision", #""1""#),
                ("findings", "[1]"), ("affectedStorefronts", "1"), ("diffLines", "1"),
            ]),
        Response(
            type: AppliedChange.self, text: #"{"feed": "today", "action": "update"}"#,
            unreadable: [("restored", "1"), ("revision", #""1""#), ("publication", "1"), ("findings", "[1]")]),
        Response(
            type: SectionExplanation.Slot.self,
            text: #"{"item": "00000000-0000-4000-8000-000000000000", "reason": "pin", "pinnedSlot": 2}"#,
            unreadable: [("reason", #""another""#), ("pinnedSlot", #""2""#), ("reason", #""rule""#)]),
        Response(
            type: SectionExplanation.OmittedItem.self, text: #"{"reason": "pinned", "pinnedSlot": 2}"#,
            unreadable: [("reason", #""another""#), ("pinnedSlot", #""2""#), ("sortValues", "1"), ("item", "1")]),
        Response(
            type: ComposedItems.RetentionReason.self, text: #"{"reason": "tooFewItems", "foundCount": 1, "minItems": 2}"#,
            unreadable: [("reason", #""another""#), ("minItems", #""2""#), ("reason", #""dropTooLarge""#)]),
    ]

    @Test("A response with unknown fields is decoded", arguments: responses)
    func known(response: Response) throws {
        #expect(try response.isRead())
        #expect(try response.isRead(with: [("unknown", "{}")]))
    }

    @Test("A response with an invalid field is rejected, instead of decoded as if the field were absent", arguments: responses)
    func unknown(response: Response) throws {
        for field in response.unreadable {
            #expect(try !response.isRead(with: [field]), "\(field)")
        }
    }
}

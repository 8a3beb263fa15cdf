import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

/// Random changes of storefronts, categories, charts, platforms, rating schemes, experiments and the holdout, and their replay from the
/// audit log.
@Suite("The audit log of the vocabulary", .databaseForEachTest)
struct VocabularyAuditTests {
    /// The keys that the test creates. Those of the site were not created through the API.
    private static let storefronts = ["xa", "xb"]
    private static let categories = ["x-1", "x-2", "x-3"]
    private static let platforms = ["x-1", "x-2", "x-3"]
    private static let ratingSchemes = ["x-1", "x-2"]
    private static let experiments = ["x-1", "x-2"]
    private static let holdout = "/admin/v1/holdout"

    @Test("Applied to nothing, the states of the audit log are the tables", arguments: [1, 2])
    func replay(seed: UInt64) async throws {
        try await AdminSite.run { site in
            var random = SeededRandom(seed: seed)
            let anna = try await site.token(.admin, "anna")
            // Each database has a holdout.
            var states = ["holdout": JSONValue(try await site.expect(.ok, "GET \(Self.holdout)", anna).json)]
            var changes = 0
            for _ in 0..<300 {
                if try await Self.change(site, anna, &random) { changes += 1 }
            }
            #expect(changes > 60, "seed \(seed)")

            var entries: [JSONNode] = []
            var next: String? = "/admin/v1/audit?limit=200"
            while let path = next {
                let page = try await site.expect(.ok, "GET \(path)", anna).json
                entries += page["entries"]?.elements.map { $0 } ?? []
                next = page["next"]?.string
            }
            #expect(entries.count == changes, "seed \(seed)")
            for entry in entries.reversed() {
                let resource = entry["resource"]?.string ?? ""
                #expect(states[resource]?.sorted == entry["before"].map { JSONValue($0).sorted }, "seed \(seed): \(resource)")
                states[resource] = entry["after"].map { JSONValue($0) }
            }
            let replayed = try states.values.compactMap(Self.text).sorted()
            #expect(replayed == (try await site.rows(Self.tables)).sorted(), "seed \(seed)")
            let actions = Set(entries.compactMap { $0["action"]?.string })
            for action in ["save", "start", "conclude", "delete"].map({ "experiment.\($0)" }) + ["holdout.save"] {
                #expect(actions.contains(action), "seed \(seed)")
            }
        }
    }

    /// Makes one random change from the current state. Returns whether it succeeded and changed the state.
    private static func change(_ site: AdminSite, _ token: AccessToken, _ random: inout SeededRandom) async throws -> Bool {
        let (path, body) = resource(&random)
        let found = try await site.send("GET \(path)", token)
        guard [.ok, .notFound].contains(found.status) else { return false }
        // Sometimes, the change is based on an older state.
        let isStale = Int.random(in: 0..<8, using: &random) == 0
        let condition = isStale ? #"If-Match: "old""# : found.status == .ok ? "If-Match: \(found.tag)" : "If-None-Match: *"
        let isExperiment = path.contains("experiments")
        var sent: String?
        let line: String
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2 where path != holdout: line = "DELETE \(path)"
        case 2 where path.contains("storefronts") && !path.contains("charts"):
            line = "POST \(path):\(Bool.random(using: &random) ? "close" : "open")"
        case 2..<5 where isExperiment: line = "POST \(path):start"
        case 5..<8 where try isExperiment && found.json["state"]?.string == "running":
            (line, sent) = ("POST \(path):conclude", #"{"winner":"\#(Bool.random(using: &random) ? "a" : "b")"}"#)
        default: (line, sent) = ("PUT \(path)", body)
        }
        let response = try await site.send(line, token, [condition], body: sent)
        let expected: [Status] = [.ok, .created, .noContent, .notFound, .conflict, .preconditionFailed, .preconditionRequired]
        // A name that a storefront or a platform uses may not exist yet.
        let namesOthers = !path.contains("categories") && !path.contains("charts") && !isExperiment
        let isInvalid = try response.status == .unprocessableContent && response.code == "invalidRecord"
        #expect(expected.contains(response.status) || namesOthers && isInvalid, "\(line): \(response.text)")
        if isStale { #expect(response.status.rawValue >= 400, "\(line)") }
        return response.status.rawValue < 300 && (response.status == .noContent || response.tag != found.tag)
    }

    /// Returns the path of a random resource with a random record.
    private static func resource(_ random: inout SeededRandom) -> (path: String, body: String) {
        func any<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &random)] }
        switch Int.random(in: 0..<15, using: &random) {
        case 0:
            let (key, zone) = (any(storefronts), any(["UTC", "Europe/Paris"]))
            let locales = any([#"["en","fr"]"#, #"["fr","en","de"]"#, #"["en"]"#])
            let scheme = any(["", #","ratingScheme":"usk""#, #","ratingScheme":"\#(ratingSchemes[0])""#])
            let record = #""currency":"EUR","timeZone":"\#(zone)","locales":\#(locales),"defaultLocale":"en"\#(scheme)"#
            return ("/admin/v1/storefronts/\(key)", #"{"kind":"storefront","key":"\#(key)",\#(record)}"#)
        case 1...2:
            let (key, title) = (any(categories), any(["A", "B"]))
            let kind = any(["", #""itemKind":"topApp","#, #""itemKind":"foodApp","#])
            let texts = any([#""\#(title)""#, #"{"de":"\#(title)","en":"\#(title) in English"}"#])
            return ("/admin/v1/categories/\(key)", #"{"kind":"category","key":"\#(key)",\#(kind)"title":\#(texts)}"#)
        case 3...4:
            let key = any(platforms)
            let runs = (platforms + ["ios"]).shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map { "\"\($0)\"" }
            let served = any(["", #","served":false"#])
            return (
                "/admin/v1/platforms/\(key)", #"{"kind":"platform","key":"\#(key)","runs":[\#(runs.joined(separator: ","))]\#(served)}"#
            )
        case 5...6:
            let key = any(ratingSchemes)
            let ages = (0...5).shuffled(using: &random)
            let labels = ["A", "B", "C"].prefix(Int.random(in: 1...3, using: &random)).enumerated().map { index, label in
                #"{"label":"\#(label)","minimumAge":\#(ages[index])}"#
            }
            return (
                "/admin/v1/rating-schemes/\(key)",
                #"{"kind":"ratingScheme","key":"\#(key)","labels":[\#(labels.joined(separator: ","))]}"#
            )
        case 7...10:
            // The ranges of a running experiment move. Its other fields are fixed.
            let (key, defaultArm, salt) = (any(experiments), any(["a", "a", "b"]), any(["", "", #""salt":"s","#]))
            let bound = Int.random(in: 1...99, using: &random)
            let arms = #"{"a":[[0,\#(bound)]],"b":[[\#(bound),100]]\#(any(["", "", #","c":[]"#]))}"#
            return ("/admin/v1/experiments/\(key)", #"{\#(salt)"arms":\#(arms),"default":"\#(defaultArm)"}"#)
        case 11: return (holdout, #"{"salt":"\#(any(["h-1", "h-2"]))","share":\#(Int.random(in: 0...9, using: &random))}"#)
        default:
            let (storefront, name) = (any(storefronts + ["us"]), any(["top", "new"]))
            let items = (1...9).shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map { #""topapp:app-\#($0)""# }
            let record = #""storefront":"\#(storefront)","name":"\#(name)","items":[\#(items.joined(separator: ","))]"#
            return ("/admin/v1/storefronts/\(storefront)/charts/\(name)", #"{"kind":"chart",\#(record)}"#)
        }
    }

    /// The rows of the tables in the form of `text`.
    private static let tables = """
        SELECT concat_ws(
            ' ', 'storefront', key, currency, time_zone, default_locale, rating_scheme,
            (SELECT string_agg(locale, ',' ORDER BY rank) FROM vitrine.storefront_locales WHERE storefront = key),
            CASE WHEN closed_at IS NOT NULL THEN 'closed' END)
        FROM vitrine.storefronts WHERE key LIKE 'x%'
        UNION ALL
        SELECT concat_ws(
            ' ', 'category', key, item_kind,
            (SELECT string_agg(locale || '=' || title, ',' ORDER BY locale COLLATE "C") FROM vitrine.category_texts WHERE category = key))
        FROM vitrine.categories WHERE key LIKE 'x%'
        UNION ALL
        SELECT concat_ws(' ', 'platform', key, array_to_string(runs, ','), is_served) FROM vitrine.platforms WHERE key LIKE 'x%'
        UNION ALL
        SELECT concat_ws(
            ' ', 'ratingScheme', key,
            (SELECT string_agg(label || '=' || minimum_age, ',' ORDER BY minimum_age) FROM vitrine.rating_labels WHERE scheme = key))
        FROM vitrine.rating_schemes WHERE key LIKE 'x%'
        UNION ALL
        SELECT concat_ws(
            ' ', 'experiment', key, salt, default_arm, state, winner,
            (
                SELECT string_agg(name || '=' || replace(ranges, ' ', ''), ',' ORDER BY name COLLATE "C")
                FROM jsonb_each_text(arms) AS arm (name, ranges)
            ))
        FROM vitrine.experiments
        UNION ALL
        SELECT concat_ws(' ', 'holdout', salt, share) FROM vitrine.holdouts
        UNION ALL
        SELECT concat_ws(
            ' ', 'chart', storefront, name,
            (
                SELECT coalesce(string_agg(item_id::text, ',' ORDER BY rank), '-') FROM vitrine.chart_entries
                WHERE chart_entries.storefront = charts.storefront AND chart = name
            ))
        FROM vitrine.charts
        """

    private static func text(_ state: JSONValue) throws -> String? {
        let record = state["record"] ?? state
        // Only records of import files have a kind.
        let kind = record["kind"]?.text ?? (record["experiment"] == nil ? "holdout" : "experiment")
        func list(_ key: String) -> String { record[key]?.list.compactMap(\.text).joined(separator: ",") ?? "" }
        func number(_ value: JSONValue?) -> String { if case .integer(let number)? = value { "\(number)" } else { "none" } }
        let parts: [String?]
        switch kind {
        case "storefront":
            let texts = ["key", "currency", "timeZone", "defaultLocale", "ratingScheme"].map { record[$0]?.text }
            parts = texts + [list("locales"), state["closedAt"] == nil ? nil : "closed"]
        case "category":
            let titles = record["title"]?.members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text ?? "")" } ?? []
            parts = [record["key"]?.text, record["itemKind"]?.text, titles.joined(separator: ",")]
        case "platform": parts = [record["key"]?.text, list("runs"), record["served"] == .bool(true) ? "t" : "f"]
        case "ratingScheme":
            let labels = record["labels"]?.list.map { "\($0["label"]?.text ?? "")=\(number($0["minimumAge"]))" } ?? []
            parts = [record["key"]?.text, labels.joined(separator: ",")]
        case "experiment":
            let arms = try record["arms"]?.members.sorted { $0.key < $1.key }.map { arm in
                "\(arm.key)=\(String(decoding: try arm.value.json(), as: UTF8.self))"
            }
            parts = ["experiment", "salt", "default", "state", "winner"].map { record[$0]?.text } + [arms?.joined(separator: ",")]
        case "holdout": parts = [record["salt"]?.text, number(record["share"])]
        default: parts = [record["storefront"]?.text, record["name"]?.text, list("items").isEmpty ? "-" : list("items")]
        }
        return ([kind] + parts).compactMap(\.self).joined(separator: " ")
    }
}

extension JSONValue {
    /// The value with sorted fields, because the database does not keep their order.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key })
        default: self
        }
    }
}

import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

/// Four curators that make random changes to the same feeds at the same time. Some requests are repeated, as after a lost response.
@Suite("Four concurrent curators", .databaseForEachTest)
struct CuratorsTests {
    @Test("Concurrent curators lose no change, and the audit log has all of them", arguments: [1, 2])
    func everything(seed: UInt64) async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            for feed in Curator.feeds {
                let document = AdminSite.today.replacing(#""feed":"today""#, with: #""feed":"\#(feed)""#)
                try await site.expect(.created, "PUT /admin/v1/feeds/\(feed)/draft", anna, ["If-None-Match: *"], body: document)
            }
            var done = Curator.Done()
            try await withThrowingTaskGroup(of: Curator.Done.self) { group in
                for number in 0..<4 {
                    let token = try await site.token(.admin, "curator-\(number)")
                    group.addTask(executorPreference: site.pool.loop) {
                        var curator = Curator(number, site, token, seed: seed &* 10 &+ UInt64(number))
                        for _ in 0..<40 { try await curator.work() }
                        return curator.done
                    }
                }
                for try await each in group { done.add(each) }
            }
            #expect(done.changes > 12 && done.stale > 0 && done.repeated > 5, "\(done)")

            for feed in Curator.feeds {
                let draft = try await site.expect(.ok, "GET /admin/v1/feeds/\(feed)/draft", anna).json
                let sections = Set(draft["document"]?["sections"]?.elements.compactMap { $0["key"]?.string } ?? [])
                #expect(sections == done.added(to: feed).union(["apps"]).subtracting(done.removed(from: feed)))
            }
            let reported = try await AuditReplay(site)
            #expect(reported.isWhole, "a state was changed that nobody had left so")
            let drafts = try await site.rows(
                """
                SELECT DISTINCT ON (feed, line) 'feeds/' || feed || '/draft?line=' || line || ' ' || encode(hash, 'hex')
                FROM vitrine.revisions ORDER BY feed, line, number DESC
                """)
            #expect(reported.drafts.map { "\($0) \($1)" }.sorted() == drafts.sorted())
            var publications: [String] = []
            for feed in Curator.feeds {
                let all = "GET /admin/v1/feeds/\(feed)/publications?since=2000-01-01T00:00:00Z"
                let list = try await site.expect(.ok, all, anna).json["publications"]?.elements.map { $0 } ?? []
                publications += list.compactMap { AuditReplay.Shown($0)?.description }
            }
            // The list omits publications that were canceled everywhere before they started.
            let replayed = reported.publications.values.filter { !$0.spans.isEmpty }.map(\.description)
            #expect(replayed.sorted() == publications.sorted())
            let orders = try await site.rows("SELECT concat_ws(' ', id, cancelled_at IS NOT NULL) FROM vitrine.publications")
            #expect(reported.publications.values.map { "\($0.id) \($0.canceledAt == nil ? "f" : "t")" }.sorted() == orders.sorted())
            let tokens = try await site.rows(
                "SELECT concat_ws(' ', id, name, scope) FROM vitrine.tokens WHERE revoked_at IS NULL AND name LIKE 'made-%'")
            #expect(reported.tokens.map { "\($0) \($1)" }.sorted() == tokens.sorted())
            let archived = try await site.rows("SELECT key FROM vitrine.feeds WHERE archived_at IS NOT NULL")
            #expect(reported.archived.sorted() == archived.sorted())
            let experiments = try await site.rows(
                "SELECT concat_ws(' ', key, salt, arms #>> '{b,0,0}', default_arm, state, winner) FROM vitrine.experiments")
            #expect(reported.experiments.values.sorted() == experiments.sorted())
            #expect(reported.changes == done.changes + Curator.feeds.count, "\(done)")
        }
    }
}

/// A curator that makes random changes, each based on the current state.
private struct Curator {
    struct Done {
        var changes = 0
        var stale = 0
        var repeated = 0
        fileprivate var sections: [String: (added: Set<String>, removed: Set<String>)] = [:]

        func added(to feed: String) -> Set<String> { sections[feed]?.added ?? [] }
        func removed(from feed: String) -> Set<String> { sections[feed]?.removed ?? [] }

        mutating func add(_ other: Done) {
            (changes, stale, repeated) = (changes + other.changes, stale + other.stale, repeated + other.repeated)
            for (feed, change) in other.sections {
                sections[feed, default: ([], [])].added.formUnion(change.added)
                sections[feed, default: ([], [])].removed.formUnion(change.removed)
            }
        }
    }

    static let feeds = ["games", "today"]

    private let number: Int
    private let site: AdminSite
    private let token: AccessToken
    private var random: SeededRandom
    private(set) var done = Done()

    init(_ number: Int, _ site: AdminSite, _ token: AccessToken, seed: UInt64) {
        (self.number, self.site, self.token) = (number, site, token)
        random = SeededRandom(seed: seed)
    }

    mutating func work() async throws {
        let feed = Self.feeds.randomElement(using: &random) ?? ""
        let path = "/admin/v1/feeds/\(feed)"
        switch Int.random(in: 0..<15, using: &random) {
        case 0...3: try await addSection(feed, path)
        case 4: try await removeSection(feed, path)
        case 5: try await rename(path)
        case 6: try await publish(path)
        case 7: try await cancel(path)
        case 8:
            let body = [nil, #"{"storefronts":["us"]}"#, #"{"storefronts":["de","sa"]}"#].randomElement(using: &random) ?? nil
            try await change("POST \(path):rollback", on: path, body)
        case 9: try await issue()
        case 10...11: try await pin(path)
        case 12...13: try await changeExperiment()
        default: try await archive(path)
        }
    }

    private mutating func addSection(_ feed: String, _ path: String) async throws {
        let key = "c\(number)-\(done.changes)-\(Int.random(in: 0..<1_000_000, using: &random))"
        let section = #"{"key":"\#(key)","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"size":3}"#
        if try await change("PUT \(path)/sections/\(key)", on: "\(path)/draft", section) {
            done.sections[feed, default: ([], [])].added.insert(key)
        }
    }

    private mutating func removeSection(_ feed: String, _ path: String) async throws {
        let draft = try await site.send("GET \(path)/draft", token)
        let keys = try draft.json["document"]?["sections"]?.elements.compactMap { $0["key"]?.string }.filter { $0 != "apps" } ?? []
        guard let key = keys.randomElement(using: &random) else { return }
        if try await change("DELETE \(path)/sections/\(key)", by: draft.tag, nil) {
            done.sections[feed, default: ([], [])].removed.insert(key)
        }
    }

    /// Saves the whole draft, with the changes of the other curators.
    private mutating func rename(_ path: String) async throws {
        let draft = try await site.send("GET \(path)/draft", token)
        guard let document = try draft.json["document"] else { return }
        let text = String(decoding: try JSONValue(document).json(), as: UTF8.self)
        let title = "Title \(Int.random(in: 0..<1_000_000, using: &random))"
        try await change("PUT \(path)/draft", by: draft.tag, text.replacing(#/"en":"[^"]*","es"/#, with: #""en":"\#(title)","es""#))
    }

    private mutating func publish(_ path: String) async throws {
        let revision = try await site.send("GET \(path)/draft", token).json["revision"]?.integer ?? 0
        // Overlapping takeovers are rejected, and so are bases for all that would replace one of some storefronts.
        let start = "2099-01-0\(Int.random(in: 1...5, using: &random))"
        let location = [
            "", #","from":"\#(start)T00:00:00Z""#, #","layer":"takeover","from":"\#(start)T06:00:00Z","until":"\#(start)T12:00:00Z""#,
            #","from":"\#(start)T00:00""#, #","layer":"takeover","from":"\#(start)T06:00","until":"\#(start)T12:00""#,
        ].randomElement(using: &random)
        let storefronts = ["", "", #","replaceLocal":true"#, #","storefronts":["sa"]"#, #","storefronts":["us","de"]"#].randomElement(
            using: &random)
        try await change(
            "POST \(path)/publications", on: "\(path)/publications",
            #"{"revision":\#(revision)\#(location ?? "")\#(storefronts ?? "")}"#)
    }

    private mutating func cancel(_ path: String) async throws {
        let list = try await site.send("GET \(path)/publications", token).json["publications"]?.elements.compactMap { $0["id"]?.integer }
        guard let id = list?.randomElement(using: &random) else { return }
        let query = ["", "?storefronts=sa", "?storefronts=us,de"].randomElement(using: &random) ?? ""
        try await change("DELETE \(path)/publications/\(id)\(query)", on: "\(path)/publications/\(id)")
    }

    /// Adds or removes a pin.
    private mutating func pin(_ path: String) async throws {
        let found = try await site.send("GET \(path)/sections/apps", token)
        guard found.status == .ok else { return }
        let slot = Int.random(in: 0..<3, using: &random)
        var section = JSONValue(try found.json)
        let pins = section["pins"]?.list ?? []
        var others = pins.filter { $0["slot"] != .integer(slot) }
        if others.count == pins.count {
            let item = JSONValue.string("topapp:app-\(Int.random(in: 1...5, using: &random))")
            others.append(.object([.init(key: "slot", value: .integer(slot)), .init(key: "item", value: item)]))
        }
        section["pins"] = others.isEmpty ? nil : .array(others)
        try await change("PUT \(path)/sections/apps", by: found.tag, String(decoding: try section.json(), as: UTF8.self))
    }

    /// Archives a feed rarely, because most changes of an archived feed are rejected.
    private mutating func archive(_ path: String) async throws {
        let feed = try await site.send("GET \(path)", token)
        let isArchived = try feed.json["archivedAt"] != nil
        guard isArchived || Int.random(in: 0..<8, using: &random) == 0 else { return }
        try await change("POST \(path):\(isArchived ? "restore" : "archive")", by: feed.tag, nil)
    }

    /// Creates a token, or revokes one.
    private mutating func issue() async throws {
        let list = try await site.send("GET /admin/v1/tokens", token).json["tokens"]?.elements.map { $0 } ?? []
        let made = list.filter { $0["name"]?.string?.hasPrefix("made-") == true }.compactMap { $0["id"]?.string }
        guard made.count > 2, let other = made.randomElement(using: &random) else {
            let name = "made-\(number)-\(Int.random(in: 0..<1_000_000, using: &random))"
            let key = "Idempotency-Key: \(name)"
            let scope = TokenScope.allCases.randomElement(using: &random) ?? .read
            let response = try await site.send(
                "POST /admin/v1/tokens", token, [key], body: #"{"name":"\#(name)","scope":"\#(scope.rawValue)"}"#)
            #expect(response.status == .created, "\(response.text)")
            done.changes += 1
            return
        }
        let found = try await site.send("GET /admin/v1/tokens/\(other)", token)
        // Revoking a revoked token is not a change.
        guard try found.json["revokedAt"] == nil else { return }
        try await change("DELETE /admin/v1/tokens/\(other)", by: found.tag, nil)
    }

    /// Makes the next change in the life of an experiment: its creation, its start, other ranges, its end or its deletion.
    private mutating func changeExperiment() async throws {
        let path = "/admin/v1/experiments/e-\(Int.random(in: 1...2, using: &random))"
        let found = try await site.send("GET \(path)", token)
        let experiment = try found.json
        // Saving the present ranges is not a change.
        let present = experiment["arms"]?["b"]?.first?.first?.integer
        let drawn = Int.random(in: 1...98, using: &random)
        let bound = drawn == present ? drawn + 1 : drawn
        let ranges = #"{"arms":{"a":[[0,\#(bound)]],"b":[[\#(bound),100]]},"default":"a"}"#
        let isMove = Int.random(in: 0..<3, using: &random) == 0
        switch experiment["state"]?.string {
        case "draft" where !isMove: try await change("POST \(path):start", by: found.tag, nil)
        case "running" where !isMove: try await change("POST \(path):conclude", by: found.tag, #"{"winner":"b"}"#)
        case "concluded": try await change("DELETE \(path)", by: found.tag, nil)
        default: try await change("PUT \(path)", by: found.status == .ok ? found.tag : nil, ranges)
        }
    }

    @discardableResult
    private mutating func change(_ line: String, on state: String, _ body: String? = nil) async throws -> Bool {
        let found = try await site.send("GET \(state)", token)
        // Another curator was faster.
        guard found.status == .ok else { return false }
        return try await change(line, by: found.tag, body)
    }

    /// Returns whether the change succeeded. A nil tag is that of a resource that does not exist yet.
    @discardableResult
    private mutating func change(_ line: String, by tag: String?, _ body: String?) async throws -> Bool {
        let condition = tag.map { "If-Match: \($0)" } ?? "If-None-Match: *"
        let key = "Idempotency-Key: \(number)-\(UInt64.random(in: 0 ... .max, using: &random))"
        let response = try await site.send(line, token, [condition, key], body: body)
        #expect(
            [.ok, .created, .noContent, .preconditionFailed, .notFound, .conflict, .unprocessableContent].contains(response.status),
            "\(line): \(response.status) \(response.text)")
        if Int.random(in: 0..<4, using: &random) == 0 {
            let again = try await site.send(line, token, [condition, key], body: body)
            #expect(again.status == response.status && again.tag == response.tag, "\(line) again: \(again.text)")
            done.repeated += 1
        }
        if response.status == .preconditionFailed { done.stale += 1 }
        guard response.status.rawValue < 300 else { return false }
        // A rollback makes a publication for each revision.
        done.changes += line.hasSuffix(":rollback") ? try response.json["publications"]?.count ?? 0 : 1
        return true
    }
}

/// The state that results from replaying the audit log.
private struct AuditReplay {
    struct Shown: CustomStringConvertible {
        let id: Int
        let feed, layer: String
        let revision: Int
        let storefronts: [String]
        let from: String
        let until, canceledAt: String?
        var spans: [String: Span]

        var description: String {
            let spans = spans.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.from) \($0.value.until ?? "")" }
            return ["\(id) \(feed) \(layer) \(revision) \(storefronts) \(from) \(until ?? "") \(canceledAt ?? "")", "\(spans)"]
                .joined(separator: " ")
        }
    }

    /// The period of a publication in a storefront.
    struct Span {
        let from: String
        var until: String?
    }

    private(set) var drafts: [String: String] = [:]
    private(set) var publications: [Int: Shown] = [:]
    private(set) var archived: Set<String> = []
    private(set) var tokens: [String: String] = [:]
    private(set) var experiments: [String: String] = [:]
    private(set) var changes = 0
    private(set) var isWhole = true

    init(_ site: AdminSite) async throws {
        let reader = try await site.token(.read, "auditor")
        var entries: [JSONNode] = []
        var next: String? = "/admin/v1/audit?limit=50"
        while let path = next {
            let page = try await site.expect(.ok, "GET \(path)", reader).json
            entries += page["entries"]?.elements.map { $0 } ?? []
            next = page["next"]?.string
        }
        for entry in entries.reversed() { replay(entry) }
    }

    private mutating func replay(_ entry: JSONNode) {
        let (before, after) = (entry["before"], entry["after"])
        changes += 1
        switch entry["action"]?.string {
        case "draft.save":
            let subject = entry["resource"]?.string ?? ""
            if drafts[subject] != before?["hash"]?.string { isWhole = false }
            drafts[subject] = after?["hash"]?.string
        case "publication.create", "feed.rollback":
            guard let visible = after.flatMap(Shown.init) else { return isWhole = false }
            // A base ends the previous one in each of its storefronts, and lasts until the next one there.
            for (id, other) in publications where visible.layer == "base" && other.layer == "base" && other.feed == visible.feed {
                for (storefront, span) in visible.spans {
                    guard let theirs = other.spans[storefront] else { continue }
                    if theirs.from <= span.from, theirs.until.map({ span.from < $0 }) ?? true {
                        publications[id]?.spans[storefront]?.until = span.from
                    }
                }
            }
            publications[visible.id] = visible
        case "publication.cancel":
            guard let was = before.flatMap(Shown.init), publications[was.id]?.description == was.description else { return isWhole = false }
            guard let visible = after.flatMap(Shown.init), visible.id == was.id else { return isWhole = false }
            publications[was.id] = visible
            for (storefront, span) in was.spans where was.layer == "base" && visible.spans[storefront] == nil {
                for (id, other) in publications where other.layer == "base" && other.feed == was.feed {
                    if other.spans[storefront]?.until == span.from { publications[id]?.spans[storefront]?.until = span.until }
                }
            }
        case "feed.archive": archived.insert(entry["feed"]?.string ?? "")
        case "feed.restore": archived.remove(entry["feed"]?.string ?? "")
        case "token.create":
            tokens[after?["id"]?.string ?? ""] = [after?["name"]?.string, after?["scope"]?.string].compactMap { $0 }.joined(separator: " ")
        case "token.revoke": if tokens.removeValue(forKey: before?["id"]?.string ?? "") == nil { isWhole = false }
        case "experiment.save", "experiment.start", "experiment.conclude", "experiment.delete":
            let subject = entry["resource"]?.string ?? ""
            if experiments[subject] != before.map(Self.experiment) { isWhole = false }
            experiments[subject] = after.map(Self.experiment)
        default: isWhole = false
        }
    }

    /// Returns an experiment with two arms as text.
    private static func experiment(_ node: JSONNode) -> String {
        let bound = node["arms"]?["b"]?.first?.first?.integer
        let fields = [node["experiment"]?.string, node["salt"]?.string, bound.map(String.init), node["default"]?.string]
        return (fields + [node["state"]?.string, node["winner"]?.string]).compactMap(\.self).joined(separator: " ")
    }
}

extension AuditReplay.Shown {
    fileprivate init?(_ node: JSONNode) {
        guard let id = node["id"]?.integer, let feed = node["feed"]?.string, let layer = node["layer"]?.string,
            let revision = node["revision"]?.integer, let from = node["from"]?.string
        else { return nil }
        var spans: [String: AuditReplay.Span] = [:]
        for span in node["spans"]?.elements.map({ $0 }) ?? [] {
            guard let storefront = span["storefront"]?.string, let from = span["from"]?.string else { return nil }
            spans[storefront] = AuditReplay.Span(from: from, until: span["until"]?.string)
        }
        self.init(
            id: id, feed: feed, layer: layer, revision: revision,
            storefronts: node["storefronts"]?.elements.compactMap(\.string) ?? [], from: from, until: node["until"]?.string,
            canceledAt: node["canceledAt"]?.string, spans: spans)
    }
}

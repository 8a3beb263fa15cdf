import JSON
import Testing
import Values

@testable import Feeds

@Suite("The plan of feeds")
struct PlanTests {
    private static let storefronts = ["de", "sa", "us"]

    private func document(_ feed: String, size: Int = 5, target: String? = nil) throws -> FeedDocument {
        let target = target.map { #","target":{"storefronts":["\#($0)"]}"# } ?? ""
        let section = #"{"key":"a","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"size": \#(size)\#(target)}"#
        return try FeedDocument(parsing: Array(#"{"format": 2, "feed":"\#(feed)","title":{"en":"X"},"sections":[\#(section)]}"#.utf8))
    }

    private func present(
        _ draft: FeedDocument?, _ base: FeedDocument? = nil, isArchived: Bool = false, line: LineKey = .main
    ) -> ExistingFeed {
        ExistingFeed(
            isArchived: isArchived, drafts: draft.map { [line: .init(number: 2, bytes: $0.canonical())] } ?? [:],
            bases: base.map { Self.everywhere(.init(number: 1, bytes: $0.canonical())) } ?? [:])
    }

    private static func everywhere(_ saved: ExistingFeed.Saved) -> [String: ExistingFeed.Saved] {
        Dictionary(uniqueKeysWithValues: storefronts.map { ($0, saved) })
    }

    private func plan(_ files: PlanRequest, _ present: [ExistingFeed] = []) -> Plan {
        let keyed = present.map { state in
            (state.drafts.values.first?.document?.key ?? state.base?.document?.key ?? files.files[0].document.key, state)
        }
        return Plan(files, present: Dictionary(keyed, uniquingKeysWith: { $1 }), storefronts: Self.storefronts)
    }

    @Test("A plan creates absent feeds, updates different ones, and leaves equal ones unchanged")
    func drafts() throws {
        let (old, new) = (try document("today"), try document("today", size: 7))
        #expect(plan(.init([.init(document: old)])).changes.map(\.action) == [.create])
        #expect(plan(.init([.init(document: old)]), [present(old)]).changes.map(\.isNothing) == [true])
        let changed = plan(.init([.init(document: new)]), [present(old, old)]).changes
        #expect(changed.map(\.action) == [.update] && changed[0].storefronts == Self.storefronts && !changed[0].isVisible)
        #expect(changed[0].difference?.sections.map(\.key.text) == ["a"] && changed[0].draft == 2 && changed[0].base == 1)
        let night = try #require(LineKey("night"))
        let lines = plan(.init([.init(line: night, document: old), .init(document: old)], publishes: true), [present(old)]).changes
        #expect(
            lines.map(\.line) == [.main, night] && lines.map(\.action) == [.unchanged, .create] && lines.map(\.publishes) == [true, false])
    }

    @Test("A plan publishes by comparison with the live revision, not the draft")
    func publishing() throws {
        let (old, new) = (try document("today"), try document("today", size: 7))
        func publishes(_ file: FeedDocument, _ state: ExistingFeed?) -> Bool {
            plan(.init([.init(document: file)], publishes: true), state.map { [$0] } ?? []).changes[0].publishes
        }
        #expect(publishes(new, nil) && publishes(new, present(new)) && publishes(new, present(new, old)))
        #expect(!publishes(new, present(new, new)) && publishes(old, present(old, new)) && !publishes(old, present(new, old)))
    }

    @Test("A change lists the storefronts whose pages differ")
    func storefronts() throws {
        func storefronts(_ file: FeedDocument, _ base: FeedDocument?) -> [String] {
            plan(.init([.init(document: file)]), [present(file, base)]).changes[0].storefronts
        }
        let (all, german) = (try document("today"), try document("today", target: "de"))
        let more = try document("today", size: 6, target: "de")
        #expect(storefronts(all, all) == [] && storefronts(all, nil) == Self.storefronts && storefronts(german, nil) == ["de"])
        #expect(storefronts(german, all) == Self.storefronts && storefronts(more, german) == ["de"])
    }

    @Test("A change of only the kind or the theme of a feed affects all storefronts that have it")
    func kindAndTheme() throws {
        func feed(_ members: String) throws -> FeedDocument {
            let target = #""target": {"storefronts": ["de", "us"]}"#
            let section = #"{"key": "a", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, \#(target)}"#
            let text = #"{"format": 2, "feed": "today", "title": {"en": "X"}, \#(members)"sections": [\#(section)]}"#
            return try FeedDocument(parsing: Array(text.utf8))
        }
        let before = try feed("")
        for members in [#""kind": "story", "#, ##""theme": {"accent": {"light": "#8A6D1F"}}, "##, ""] {
            let change = plan(.init([.init(document: try feed(members))]), [present(before, before)]).changes[0]
            #expect(change.storefronts == (members.isEmpty ? [] : ["de", "us"]), "\(members)")
        }
    }

    private func present(
        _ draft: FeedDocument, _ base: FeedDocument, before takeover: FeedDocument, in storefronts: [String] = PlanTests.storefronts,
        isArchived: Bool = false
    ) -> ExistingFeed {
        let publication = Publication(
            id: 9, feed: takeover.key.text, layer: .takeover, revision: 4, from: .instant(.epoch), until: nil,
            spans: storefronts.map { .init(storefront: $0, from: .epoch, until: nil) })
        let saved = ExistingFeed.Saved(number: 4, bytes: takeover.canonical())
        return ExistingFeed(
            isArchived: isArchived, drafts: [.main: .init(number: 2, bytes: draft.canonical())],
            bases: Self.everywhere(.init(number: 1, bytes: base.canonical())),
            takeovers: Self.everywhere(saved).filter { storefronts.contains($0.key) }, publications: [publication])
    }

    @Test("A plan publishes if one storefront has another base, and lists the storefronts that differ")
    func localBases() throws {
        let (old, new) = (try document("today"), try document("today", size: 7))
        var bases = Self.everywhere(.init(number: 2, bytes: new.canonical()))
        bases["sa"] = .init(number: 1, bytes: old.canonical())
        let feed = ExistingFeed(isArchived: false, drafts: [.main: .init(number: 2, bytes: new.canonical())], bases: bases)
        let change = plan(.init([.init(document: new)], publishes: true), [feed]).changes[0]
        #expect(change.publishes && change.storefronts == ["sa"] && change.base == 2)
        let saved = plan(.init([.init(document: new)]), [feed]).changes[0]
        #expect(!saved.publishes && saved.storefronts == ["sa"])
    }

    @Test("A takeover of one storefront does not affect what others are compared with")
    func localTakeovers() throws {
        let (base, file) = (try document("today"), try document("today", size: 9))
        let night = try #require(LineKey("night"))
        let feed = present(base, base, before: file, in: ["sa"])
        let change = plan(.init([.init(line: night, document: file)]), [feed]).changes[0]
        #expect(change.storefronts == ["de", "us"])
    }

    @Test("A published change shows the diff to the live revision, and any other the diff to the draft")
    func differences() throws {
        let (live, draft, file) = (try document("today"), try document("today", size: 7), try document("today", size: 9))
        func change(_ file: FeedDocument, publishes: Bool, _ state: ExistingFeed?) -> PlannedChange {
            plan(.init([.init(document: file)], publishes: publishes), state.map { [$0] } ?? []).changes[0]
        }
        func texts(_ change: PlannedChange) -> [String] { change.difference?.lines.map(\.text) ?? [] }
        // A draft that another user saved and did not publish is published with the change, or lost with it.
        let published = change(draft, publishes: true, present(draft, live))
        #expect(texts(published) == ["section a", "size: 5 → 7"] && published.before == 1 && !published.replacesDraft)
        let replaced = change(file, publishes: true, present(draft, live))
        #expect(texts(replaced) == ["section a", "size: 5 → 9"] && replaced.before == 1 && replaced.replacesDraft)
        let saved = change(file, publishes: false, present(draft, live))
        #expect(texts(saved) == ["section a", "size: 7 → 9"] && saved.before == 2 && !saved.replacesDraft)
        let back = change(live, publishes: true, present(draft, live))
        #expect(texts(back) == ["section a", "size: 7 → 5"] && !back.publishes && back.before == 2)
        let made = change(live, publishes: false, nil)
        #expect(texts(made).contains("section a, added at position 1") && texts(made).contains("title en: X") && made.before == nil)
        #expect(texts(change(live, publishes: true, present(live))).contains("section a, added at position 1"))
        #expect(change(live, publishes: true, present(live, live)).difference == nil)
    }

    @Test("A plan compares with what clients see during a takeover")
    func takeovers() throws {
        let (base, file) = (try document("today"), try document("today", size: 9))
        let german = try document("today", target: "de")
        let after = plan(.init([.init(document: file)], publishes: true), [present(base, base, before: german)]).changes[0]
        #expect(after.takeovers.map(\.id) == [9] && after.storefronts == Self.storefronts)
        // Restoring the feed makes the takeover visible, and archiving the feed ends it.
        let restored = plan(.init([.init(document: base)]), [present(base, base, before: german, isArchived: true)]).changes[0]
        #expect(restored.storefronts == ["de"] && restored.difference == nil)
        let files = PlanRequest([.init(document: try document("food"))], prunes: true)
        let archived = plan(files, [present(base, base, before: german)]).changes[1]
        #expect(archived.action == .archive && archived.storefronts == ["de"])
        let night = try #require(LineKey("night"))
        let line = plan(.init([.init(line: night, document: german)]), [present(base, base, before: german)]).changes[0]
        #expect(line.storefronts.isEmpty)
    }

    @Test("A plan archives feeds only if it prunes, and restores feeds that have a file")
    func archiving() throws {
        let (today, food) = (try document("today"), try document("food", target: "us"))
        let state = [present(today, today), present(food, food)]
        #expect(plan(.init([.init(document: today)]), state).changes.count == 1)
        let pruned = plan(.init([.init(document: today)], prunes: true), state).changes
        #expect(pruned.map(\.action) == [.archive, .unchanged] && pruned[0].storefronts == ["us"] && pruned[0].isVisible)
        #expect(plan(.init([.init(document: today)], prunes: true), [state[0], present(food, isArchived: true)]).changes.count == 1)
        let night = try #require(LineKey("night"))
        let archived = present(food, food, isArchived: true)
        let restored = plan(.init([.init(document: food), .init(line: night, document: food)]), [archived]).changes
        #expect(restored.map(\.restores) == [true, false] && restored[0].storefronts == ["us"] && restored[0].isVisible)
    }

    @Test("The identity of a plan depends on its request, its options and the feeds on the server")
    func identity() throws {
        let (old, new) = (try document("today"), try document("today", size: 7))
        let identities: [[UInt8]] = [
            plan(.init([.init(document: old)])).identity, plan(.init([.init(document: new)])).identity,
            plan(.init([.init(document: old)], publishes: true)).identity, plan(.init([.init(document: old)]), [present(new)]).identity,
            plan(.init([.init(document: old)]), [present(old)]).identity, plan(.init([.init(document: old)]), [present(old, new)]).identity,
            plan(.init([.init(document: old)]), [present(old, isArchived: true)]).identity,
            plan(.init([.init(document: old)], prunes: true), [present(try document("food"))]).identity,
        ]
        #expect(Set(identities).count == identities.count)
        let printed = plan(.init([.init(document: old)]), [present(old, old)]).identity
        #expect(plan(.init([.init(document: old)]), [present(old, old, before: new)]).identity != printed)
        var reviewed = plan(.init([.init(document: old)]))
        reviewed.changes[0].findings = []
        #expect(reviewed.identity == identities[0])
    }

    @Test("A plan request is decoded as strictly as other documents")
    func files() throws {
        let files = PlanRequest(
            [.init(document: try document("today")), .init(line: try #require(LineKey("night")), document: try document("today"))],
            prunes: true)
        #expect(try PlanRequest(parsing: files.json()) == files)
        #expect(throws: JSONError.self) { try PlanRequest(parsing: Array(#"{"documents":[]}"#.utf8)) }
    }
}

import Resolve
import TestSupport
import Testing

@Suite("Resolving a page", .serialized)
struct ResolveTests {
    private static let pages = 25_000
    private static let allFacts = 1 << NaiveClient.factCount - 1

    @Test("A page equals the page that a model composes for one client, and facts can be applied in any steps", arguments: Seeds.fixed(3))
    func law(seed: UInt64) throws {
        var source = try RandomPages(seed: seed)
        for index in 0..<Self.pages {
            let isCut = source.number(0...1) == 0
            let page = source.page()
            let client = source.client(onlyServed: isCut)
            let edition = page.edition(isCut: isCut)
            let all = resolve(edition, client.facts(Self.allFacts))
            let expected = page.shown(to: client)
            let isExpected = all.sections.elementsEqual(expected) { $0.id == $1.section && $0.placements.map(\.id) == $1.placements }
            let known = source.number(0...Self.allFacts)
            let more = source.number(0...Self.allFacts)
            let some = resolve(edition, client.facts(known))
            let next = resolve(some, client.facts(more))
            let isLawful =
                next == resolve(edition, client.facts(known | more)) && resolve(next, client.facts(Self.allFacts)) == all
                && resolve(some, .nothingKnown) == some
            let isDecided = all.sections.allSatisfy(\.isDecided) && some.sections.allSatisfy(\.isOpenOrFilled)
            guard isExpected, isLawful, isDecided, isTight(some, platform: client.facts(known).platform) else {
                let facts = "facts \(known) and \(more), expected \(isExpected), lawful \(isLawful), decided \(isDecided)"
                Issue.record("seed \(seed), page \(index), \(facts): \(page.json(isCut: isCut)) for \(client)")
                return
            }
        }
    }

    /// Whether a client can need the last candidate of each section that is not filled.
    private func isTight(_ page: Edition, platform: Fact<String>) -> Bool {
        page.sections.allSatisfy { section in
            guard let fill = section.fill, let last = section.placements.last(where: { $0.pin == nil }) else { return true }
            var limit = fill.size + section.placements.count { $0.item != nil && $0.pin != nil && $0.isOpen }
            for above in page.sections where fill.without.contains(above.id) {
                limit += min(above.fill?.size ?? .max, Set(above.placements.compactMap(\.item)).count)
            }
            let earlier = section.placements.filter { $0.pin == nil && $0.id != last.id }
            let platforms = platform == .unknown ? last.platforms.map(Array.init) ?? ["other"] : ["any"]
            return platforms.contains { name in earlier.count { $0.platforms?.contains(name) ?? true } < limit }
        }
    }
}

extension ResolvableSection {
    /// Whether nothing depends on an unknown fact.
    fileprivate var isDecided: Bool { target == nil && fill == nil && !placements.contains(where: \.isOpen) }

    /// Whether the section is filled, or has a reason not to be.
    fileprivate var isOpenOrFilled: Bool {
        guard let fill else { return !placements.isEmpty && !placements.contains(where: \.isOpen) }
        return placements.contains { $0.isOpen || $0.pin == nil && !fill.without.isEmpty }
    }
}

extension Placement {
    fileprivate var isOpen: Bool { pin?.target != nil || platforms != nil }
}

import Feeds
import JSON
import Security
import TestSupport
import Testing
import Values

@testable import Publishing

@Suite("The kept documents of a feed")
struct DocumentKeepingTests {
    private static let document = #"""
        {"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [
          {"key": "a", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
           "seeAll": {"title": {"en": "All"}}},
          {"key": "b", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
           "pins": [{"slot": 1, "card": {"key": "one", "title": {"en": "One"}}},
                    {"slot": 3, "card": {"key": "two", "title": {"en": "Two"}}}]},
          {"key": "c", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"},
           "seeAll": {"title": {"en": "All"}}}]}
        """#

    /// Returns up to five of seven items, some of them only for one platform, and some of the pins. Few items make equal parts
    /// frequent.
    private func drawnItems(_ random: inout SeededRandom, _ pins: [Pin]) -> ComposedItems {
        let numbers = Array((1...7).shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)))
        var items = ComposedItems()
        items.orders = [nil: numbers.map { UUID(high: 0, low: UInt64($0)) }]
        for number in numbers {
            let platforms: Set<String>? = Bool.random(using: &random) ? ["ios"] : nil
            items.placements[UUID(high: 0, low: UInt64(number))] = .init(serialNumber: number, platforms: platforms)
        }
        for pin in pins where Bool.random(using: &random) {
            if case .card(let card) = pin.content { items.pins.append(.init(slot: pin.slot, content: .card(card))) }
        }
        return items
    }

    /// The pins of a shelf. A list has its pins among its items.
    private func pins(of part: SectionPart, _ selection: ItemSelection) -> [Pin] { part.isShelf ? selection.pins : [] }

    private func state(_ parts: [SectionPart: ComposedItems], revision: Int = 1) -> PublishedFeedState {
        var state = PublishedFeedState()
        state.isComposed = true
        state.revision = revision
        state.parts = parts.filter { part, _ in parts[.shelf(part.section)].map { !$0.isEmpty } ?? false }
        return state
    }

    @Test("A state with kept documents has the same ones as a state that is composed as a whole", arguments: 0..<50 as Range<UInt64>)
    func history(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let feed = try FeedDocument(parsing: Array(Self.document.utf8))
        var parts: [SectionPart: ComposedItems] = [:]
        for (part, selection) in feed.sections.flatMap(\.parts) { parts[part] = drawnItems(&random, pins(of: part, selection)) }
        var published = PublishedFeedState()
        var keptDocuments = 0
        for step in 1...20 {
            let composer = FeedComposer(feed, revision: 1, hashedBy: Digest.sha256)
            let fresh = composer.unorderedEntries(parts, keeping: published.previous, generation: step)
            var whole = state(parts)
            for entry in fresh where entry.key.kind != .layout { whole.store(entry) }
            var next = state(parts)
            let (kept, others) = next.keepDocuments(of: published, in: feed)
            keptDocuments += next.documents.count
            #expect(others.isDisjoint(with: next.documents.keys), "seed \(seed), step \(step)")
            #expect(
                others.isSuperset(of: published.documents.keys.filter { next.documents[$0] == nil }), "seed \(seed), step \(step)")
            for entry in composer.unorderedEntries(parts, keeping: published.previous, except: kept, generation: step)
            where entry.key.kind != .layout { next.store(entry) }
            #expect(next.documents == whole.documents && next.items == whole.items, "seed \(seed), step \(step)")
            #expect(Set(next.previous.placements.keys) == Set(whole.previous.placements.keys), "seed \(seed), step \(step)")
            #expect(Set(next.previous.lists.keys) == Set(whole.previous.lists.keys), "seed \(seed), step \(step)")
            published = next
            let drawn = feed.sections.flatMap(\.parts).randomElement(using: &random)
            if let (part, selection) = drawn { parts[part] = drawnItems(&random, pins(of: part, selection)) }
        }
        #expect(keptDocuments > 0, "seed \(seed)")
    }

    @Test("Nothing is kept of another revision, or of documents that another program composed")
    func others() throws {
        let feed = try FeedDocument(parsing: Array(Self.document.utf8))
        var random = SeededRandom(seed: 1)
        var parts: [SectionPart: ComposedItems] = [:]
        for section in feed.sections { parts[.shelf(section.key)] = drawnItems(&random, []) }
        var published = state(parts)
        for entry in FeedComposer(feed, revision: 1, hashedBy: Digest.sha256).entries(parts) where entry.key.kind != .layout {
            published.store(entry)
        }
        var other = state(parts, revision: 2)
        #expect(other.keepDocuments(of: published, in: feed).kept.sections.isEmpty && other.documents.isEmpty)
        var same = state(parts)
        let (kept, others) = same.keepDocuments(of: published, in: feed)
        // The document of the feed has the publication and the experiments, which are no items.
        #expect(!kept.sections.isEmpty && kept.hasSameSections && others == [.init(.feed, "f")])
        #expect(same.documents.count == published.documents.count - 1)
        published.isComposed = false
        var next = state(parts)
        #expect(next.keepDocuments(of: published, in: feed).kept.sections.isEmpty && next.documents.isEmpty)
    }
}

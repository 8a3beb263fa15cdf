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
          {"key": "b", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}},
          {"key": "c", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}}]}
        """#

    /// Returns up to five of seven items, some of them only for one platform. Few items make equal parts frequent.
    private func drawnItems(_ random: inout SeededRandom) -> ComposedItems {
        let numbers = Array((1...7).shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)))
        var items = ComposedItems()
        items.orders = [nil: numbers.map { UUID(high: 0, low: UInt64($0)) }]
        for number in numbers {
            let platforms: Set<String>? = Bool.random(using: &random) ? ["ios"] : nil
            items.placements[UUID(high: 0, low: UInt64(number))] = .init(serialNumber: number, platforms: platforms)
        }
        return items
    }

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
        for section in feed.sections { for (part, _) in section.parts { parts[part] = drawnItems(&random) } }
        var published = PublishedFeedState()
        var keptDocuments = 0
        for step in 1...20 {
            let composer = FeedComposer(feed, revision: 1, hashedBy: Digest.sha256)
            let fresh = composer.unorderedEntries(parts, keeping: published.previous, generation: step)
            var whole = state(parts)
            for entry in fresh where entry.key.kind != .layout { whole.store(entry) }
            var next = state(parts)
            let kept = next.keepDocuments(of: published, in: feed)
            keptDocuments += next.documents.count
            for entry in composer.unorderedEntries(parts, keeping: published.previous, except: kept, generation: step)
            where entry.key.kind != .layout { next.store(entry) }
            #expect(next.documents == whole.documents && next.items == whole.items, "seed \(seed), step \(step)")
            #expect(Set(next.previous.placements.keys) == Set(whole.previous.placements.keys), "seed \(seed), step \(step)")
            #expect(Set(next.previous.lists.keys) == Set(whole.previous.lists.keys), "seed \(seed), step \(step)")
            published = next
            let changed = parts.keys.sorted { "\($0)" < "\($1)" }.randomElement(using: &random)
            if let changed { parts[changed] = drawnItems(&random) }
        }
        #expect(keptDocuments > 0, "seed \(seed)")
    }

    @Test("Nothing is kept of another revision, or of documents that another program composed")
    func others() throws {
        let feed = try FeedDocument(parsing: Array(Self.document.utf8))
        var random = SeededRandom(seed: 1)
        var parts: [SectionPart: ComposedItems] = [:]
        for section in feed.sections { parts[.shelf(section.key)] = drawnItems(&random) }
        var published = state(parts)
        for entry in FeedComposer(feed, revision: 1, hashedBy: Digest.sha256).entries(parts) where entry.key.kind != .layout {
            published.store(entry)
        }
        var other = state(parts, revision: 2)
        #expect(other.keepDocuments(of: published, in: feed).sections.isEmpty && other.documents.isEmpty)
        var same = state(parts)
        #expect(!same.keepDocuments(of: published, in: feed).sections.isEmpty && !same.documents.isEmpty)
        published.isComposed = false
        var next = state(parts)
        #expect(next.keepDocuments(of: published, in: feed).sections.isEmpty && next.documents.isEmpty)
    }
}

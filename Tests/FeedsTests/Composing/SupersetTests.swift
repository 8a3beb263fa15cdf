import Feeds
import Items
import Resolve
import TestSupport
import Testing
import Values

@Suite("The published superset of a page")
struct SupersetTests {
    @Test("Each client resolves the superset to the page that is composed for it alone", arguments: SupersetPage.firstSeeds)
    func equivalence(first: UInt64) throws {
        let items = try SupersetPage.items()
        var (different, running) = (0, 0)
        for seed in first..<first + SupersetPage.seedsAtOnce {
            var page = try SupersetPage(seed: seed)
            let snapshot = try page.snapshot(of: items)
            var pages: Set<[String]> = []
            for _ in 0..<8 {
                let client = page.client()
                let expected = page.shown(to: client)
                let edition = snapshot.edition(in: .english, on: client.platform)
                let shared = resolve(edition, client.sharedFacts)
                let details = "seed \(seed) for \(client): \(page.text)"
                try #require(SupersetPage.described(resolve(edition, client.facts)) == expected, "\(details)")
                try #require(SupersetPage.described(resolve(shared, client.facts)) == expected, "the shared page of \(details)")
                pages.insert(expected)
            }
            if pages.count > 1 { different += 1 }
            if snapshot.feed.registry.experiments.values.contains(where: { $0.state == .running }) { running += 1 }
        }
        #expect(running > Int(SupersetPage.seedsAtOnce) / 10, "few pages have experiments")
        #expect(different > Int(SupersetPage.seedsAtOnce) / 3, "few pages depend on the client")
    }

    @Test("A shelf has no more candidates than slots that pins can leave and items that sections above can show")
    func size() throws {
        let items = try SupersetPage.items()
        for seed in 0..<100 as Range<UInt64> {
            // Without platforms, the number of items is the same for all clients.
            let page = try SupersetPage(seed: seed, platforms: [])
            let edition = try page.snapshot(of: items).edition(in: .english)
            for shelf in edition.sections {
                let section = try #require(page.sections.first { "f/\($0.key)" == shelf.id })
                let above = page.sections.filter { section.without.contains($0.key) }.map(\.size).reduce(0, +)
                let maximum = section.size - section.pins.count { $0.target == nil } + above
                #expect(shelf.placements.count { $0.pin == nil } <= maximum, "seed \(seed), \(shelf.id)")
                #expect(shelf.fill?.without == section.without.map { "f/\($0)" }, "seed \(seed), \(shelf.id)")
            }
        }
    }
}

import Feeds
import Items
import Resolve
import TestSupport
import Testing
import Values

@testable import Publishing

@Suite("The items of each platform")
struct EligibilityTests {
    private static let pagesAtOnce: UInt64 = 100
    /// The first seeds of 100 pages each, with three and a half sections on average.
    private static let firstSeeds: [UInt64] = {
        let pages = (TestVariable.number("ELIGIBILITY_SECTIONS") ?? 1_400) * 2 / 7
        return stride(from: 0, to: pages, by: Int(pagesAtOnce)).map(\.self)
    }()

    @Test(
        "The shelves and lists that a client fills from the published page equal those that are composed for its platform alone",
        arguments: firstSeeds)
    func equivalence(first: UInt64) throws {
        let items = try EligibilityPage.items()
        var (different, short) = (0, 0)
        for seed in first..<first + Self.pagesAtOnce {
            var page = try EligibilityPage(seed: seed)
            let step = page.number(0...1_000)
            let snapshot = try page.snapshot(of: items, at: step)
            var pages: Set<[String]> = []
            for client in page.clients() {
                let details = "seed \(seed), step \(step), served \(page.platforms.served), for \(client): \(page.text)"
                let expected = page.shown(to: client, at: step)
                let edition = snapshot.edition(in: .english, on: client.platform)
                try #require(EligibilityPage.described(resolve(edition, client.facts)) == expected, "\(details)")
                var shared = client.facts
                (shared.tags, shared.client, shared.appVersion) = (.unknown, .unknown, .unknown)
                let half = resolve(edition, shared)
                try #require(half.sections.allSatisfy { $0.placements.allSatisfy { $0.platforms == nil } })
                try #require(EligibilityPage.described(resolve(half, client.facts)) == expected, "the shared page of \(details)")
                pages.insert(expected)
                for section in page.sections where section.listSize != nil {
                    guard let published = snapshot.sections.first(where: { $0.published.id == "f/\(section.key)" }) else { continue }
                    let list = page.list(of: section, on: client.platform)
                    let limit = page.number(1...13)
                    try #require(try page.walked(published, of: snapshot, by: client, limit: limit) == list, "the list of \(details)")
                    if list.count < section.listSize ?? 0 { short += 1 }
                }
            }
            if pages.count > 1 { different += 1 }
        }
        #expect(different > Int(Self.pagesAtOnce) * 2 / 3, "few pages depend on the platform")
        #expect(short > 0)
    }

    @Test(
        "The elements of all sections without their minimums and with all pins for the platform are counted in one pass",
        arguments: Seeds.fixed(3))
    func counts(seed: UInt64) throws {
        let items = try EligibilityPage.items()
        var total = 0
        for number in 0..<30 as Range<UInt64> {
            var page = try EligibilityPage(seed: seed &+ number)
            let snapshot = try page.snapshot(of: items, at: 3)
            for client in page.clients() {
                let edition = snapshot.edition(in: .english, on: client.platform)
                var expected: [String: Int] = [:]
                for (index, section) in edition.sections.enumerated() {
                    var alone = edition
                    alone.sections.removeSubrange((index + 1)...)
                    let fill = try #require(section.fill)
                    alone.sections[index].fill = Fill(size: fill.size, minItems: 0, without: fill.without)
                    for place in section.placements.indices {
                        let platforms = section.placements[place].pin?.target?.platforms ?? []
                        alone.sections[index].placements[place].pin?.target = platforms.isEmpty ? nil : Target([.platforms(platforms)])
                    }
                    let shown = resolve(alone, client.facts).sections.last { $0.id == section.id }
                    expected[section.id] = shown?.placements.count ?? 0
                }
                #expect(edition.counts(for: client.facts) == expected, "seed \(seed &+ number), for \(client): \(page.text)")
                total += expected.values.reduce(0, +)
            }
        }
        #expect(!Seeds.isFixed(seed, of: 3) || total > 300)
    }

    @Test(
        "Over as many steps of a rotation as items run on a platform, its clients see each of them equally often", arguments: Seeds.fixed(5)
    )
    func rotation(seed: UInt64) throws {
        let items = try EligibilityPage.items()
        var turned = 0
        // Few sections rotate without other sections and without pins for some clients, so some seeds need more pages.
        for number in 0..<100 as Range<UInt64> where number < 12 || turned <= 10 {
            var page = try EligibilityPage(seed: seed &+ number)
            let keys = page.sections.filter { $0.rotates && $0.without.isEmpty && $0.order.count > 2 }.map(\.key)
            if keys.isEmpty { continue }
            var pages: [FeedSnapshot] = []
            for step in 0..<EligibilityPage.itemCount { pages.append(try page.snapshot(of: items, at: step)) }
            for platform in [nil] + page.platforms.served {
                let client = EligibilityPage.Client(platform: platform, tags: [])
                for section in page.sections where keys.contains(section.key) && !section.pins.contains(where: { $0.tag != nil }) {
                    let pinned = section.pins.compactMap(\.item)
                    let eligible = page.candidates(of: section, on: platform, at: 0).filter { !pinned.contains($0) }
                    var times: [Int: Int] = [:]
                    for step in eligible.indices {
                        let shelf = resolve(pages[step].edition(in: .english, on: platform), client.facts).sections
                            .first { $0.id == "f/\(section.key)" }
                        for placement in shelf?.placements ?? [] where placement.pin == nil {
                            if let item = placement.item.flatMap({ UUID($0) }) { times[Int(item.low), default: 0] += 1 }
                        }
                    }
                    // A shelf can have only pins, or too few items on the platform.
                    let line = page.shown(to: client, at: 0).first { $0.hasPrefix("f/\(section.key):") }
                    let shown = line?.split(separator: " ").compactMap { Int($0) } ?? []
                    guard shown.contains(where: { !pinned.contains($0) }) else {
                        #expect(times.isEmpty, "seed \(seed &+ number), \(section.key), \(client): \(times)")
                        continue
                    }
                    #expect(Set(times.keys) == Set(eligible), "seed \(seed &+ number), \(section.key), \(client)")
                    #expect(Set(times.values).count == 1, "seed \(seed &+ number), \(section.key), \(client): \(times)")
                    turned += 1
                }
            }
        }
        #expect(!Seeds.isFixed(seed, of: 5) || turned > 10)
    }

    @Test("A rotation has items for the clients of platforms that are not served", arguments: Seeds.fixed(3))
    func notServed(seed: UInt64) throws {
        let items = try EligibilityPage.items()
        var compared = 0
        for number in 0..<60 as Range<UInt64> {
            var page = try EligibilityPage(seed: seed &+ number)
            let step = page.number(0...1_000)
            // What such a section shows depends on no other section.
            let keys = page.sections.filter { $0.rotates && $0.filters && $0.without.isEmpty }.map(\.key)
            if keys.isEmpty { continue }
            let snapshot = try page.snapshot(of: items, at: step)
            for platform in page.platforms.all where !page.platforms.served.contains(platform) {
                let client = EligibilityPage.Client(platform: platform, tags: [])
                let expected = page.shown(to: client, at: step)
                let shown = EligibilityPage.described(resolve(snapshot.edition(in: .english, on: platform), client.facts))
                for key in keys {
                    let (own, other) = (shown.filter { $0.hasPrefix("f/\(key):") }, expected.filter { $0.hasPrefix("f/\(key):") })
                    #expect(own == other, "seed \(seed &+ number), step \(step), for \(client): \(page.text)")
                    compared += other.count
                }
            }
        }
        #expect(!Seeds.isFixed(seed, of: 3) || compared > 10)
    }

    @Test(
        "The items for several platforms are merged into one order, which has the first items of each, however many are read",
        arguments: Seeds.fixed(5))
    func merging(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let day = try #require(CalendarDay("2026-03-01"))
        let platforms = EligibilityPage.runs.map(\.key)
        for _ in 0..<200 {
            let count = Int.random(in: 0...60, using: &random)
            let order = (0..<count).map { number in
                let own = platforms.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                return Candidate(
                    facts: ItemFacts(
                        id: UUID(high: 0, low: UInt64(number)), kind: .topApp,
                        facets: Set((own.isEmpty ? ["tvos"] : own).map { "on:\($0)" }),
                        ratingAverage: 0, ratingCount: 0, releasedOn: day, serialNumber: number, priceMinor: nil))
            }
            let limit = Int.random(in: 0...20, using: &random)
            func visible(_ candidates: [Candidate], on platform: String, _ limit: Int) -> [Int] {
                candidates.running(on: platform, limit: limit).map(\.facts.serialNumber)
            }
            func reply(to limit: Int, reading count: Int) -> (first: [Candidate], merged: [Candidate]) {
                let first = Array(order.prefix(count))
                var others: [String: [Candidate]] = [:]
                for platform in platforms where visible(first, on: platform, limit).count < limit {
                    others[platform] = order.running(on: platform, limit: limit)
                }
                return (first, first.merged(with: others))
            }
            let (first, merged) = reply(to: limit, reading: Int.random(in: limit...2 * limit, using: &random))
            #expect(Array(merged.prefix(first.count)) == first)
            #expect(Set(merged.map(\.facts.id)).count == merged.count)
            for platform in platforms {
                #expect(visible(merged, on: platform, limit) == visible(order, on: platform, limit), "\(platform)")
            }
            let more = Int.random(in: limit...limit + 20, using: &random)
            let other = reply(to: more, reading: Int.random(in: more...2 * more, using: &random)).merged
            let parts = [merged, other].map { FoundCandidates(items: $0).first(limit, on: platforms).map(\.facts.serialNumber) }
            #expect(parts[0] == parts[1], "seed \(seed): the first \(limit) of \(more)")
            for platform in platforms {
                let items = FoundCandidates(items: other).first(limit, on: platforms)
                #expect(visible(items, on: platform, limit) == visible(order, on: platform, limit), "\(platform)")
            }
        }
    }
}

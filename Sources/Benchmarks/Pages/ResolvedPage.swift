import Resolve

/// A shared page that a client resolves in its own process, with every kind of condition that a page can keep open.
enum ResolvedPage {
    private static let sectionCount = 10
    private static let shelfSize = 20

    static func row() throws -> BenchmarkRow {
        let page = try page()
        let facts = try facts()
        let shelves = resolve(page, facts).sections
        guard shelves.count == sectionCount, shelves.allSatisfy({ $0.fill == nil && $0.placements.count == shelfSize }) else {
            throw BenchmarkDisagreement(what: "the shelves of a resolved page")
        }
        let times = try InterleavedRuns(calls: 100) {
            keep(resolve(page, facts))
        } theirs: {
        }
        return BenchmarkRow(
            what: "pages: \(sectionCount) sections of \(shelfSize) items, resolved by a client", measured: times.ours, bar: .atMost(200))
    }

    private static func facts() throws -> ClientFacts {
        var facts = ClientFacts.nothingSaid
        facts.storefront = .said("us")
        facts.locale = .said(["en"])
        facts.platform = .said("ios")
        facts.client = .said("5f0c7b9e-2f60-4c55-8b0e-0f6f5a1b2c3d")
        facts.tags = .said(["beta"])
        facts.appVersion = .said(try version("3.2.0"))
        facts.os = .said(try version("17.4"))
        return facts
    }

    private static func version(_ text: String) throws -> Version {
        guard let version = Version(text) else { throw BenchmarkFailure(reason: "\(text) is not a version") }
        return version
    }

    /// Returns a page whose sections do not repeat the items of the section above, so that each has candidates for two shelves.
    private static func page() throws -> Edition {
        guard let versions = VersionRange(">=3.0") else { throw BenchmarkFailure(reason: "not a range of versions") }
        let newer = Target([.platforms(["ios", "ipados"]), .appVersion(versions)])
        let testers = Target([.tags(["beta", "vip"])])
        let sections = (0..<sectionCount).map { section in
            let name = "today/shelf-\(section)"
            // Some items of the shelf above are among the candidates.
            let candidates = (0..<2 * shelfSize).map { index in
                let number = section * shelfSize / 2 + index
                return Placement(
                    id: "\(name)/candidate-\(number)", item: item(number), platforms: number % 3 == 0 ? ["ios", "ipados", "macos"] : nil)
            }
            let pins = [
                Placement(id: "\(name)/pin-0", item: item(10_000 + section), pin: .init(slot: 0, target: testers)),
                Placement(id: "\(name)/pin-3", item: item(20_000 + section), pin: .init(slot: 3, target: newer)),
            ]
            return ResolvableSection(
                id: name, target: section % 2 == 0 ? nil : newer,
                fill: Fill(size: shelfSize, minItems: 3, without: section == 0 ? [] : ["today/shelf-\(section - 1)"]),
                placements: pins + candidates)
        }
        return Edition(sections: sections)
    }

    /// Returns a text that is as long as the ID of an item.
    private static func item(_ number: Int) -> String { "5a2b1c9d-2f60-4c55-8b0e-\(100_000_000_000 + number)" }
}

import Feeds
import Items
import Publishing
import Resolve
import Values

extension CatalogRead {
    /// The candidates of a section, for each condition on facts of items.
    static let ofRules: [CatalogRead] = [
        CatalogRead(name: "items for a platform", run: candidates { _, _ in .platform(["visionos"]) }),
        CatalogRead(
            name: "items for a rare platform, the newest first",
            run: candidates(by: .release) { _, _ in .all([.kind(.topApp), .platform(["linux"])]) }),
        CatalogRead(name: "items that run on a version", run: candidates { _, _ in .all([.kind(.topApp), .runsOn(version("13"))]) }),
        CatalogRead(
            name: "items that run on a version, the newest first",
            run: candidates(by: .release) { _, _ in .all([.kind(.topApp), .runsOn(version("13"))]) }),
        CatalogRead(name: "items for an age", run: candidates { _, _ in .ageRating(atMost: 9) }),
        CatalogRead(name: "items with a tag", run: candidates { _, _ in .tag([MeasuredFacts.tag]) }),
        CatalogRead(
            name: "items with a rare tag, the newest first", run: candidates(by: .release) { _, _ in .tag([MeasuredFacts.rareTag]) }),
        CatalogRead(
            name: "items without a tag", run: candidates { _, _ in .all([.kind(.topApp), .not(.tag([MeasuredFacts.tag]))]) }),
        CatalogRead(name: "items of a developer", run: candidates { _, chance in .developer([chance.developer()]) }),
        CatalogRead(name: "items of a diet", run: candidates { _, chance in .diet([chance.pick(["halal", "kosher", "vegan"])]) }),
        CatalogRead(name: "items of a short delivery", run: candidates { _, _ in .deliveryMinutes(atMost: 30) }),
        CatalogRead(
            name: "items of a long delivery, the newest first",
            run: candidates(by: .release) { _, _ in .all([.kind(.foodApp), .not(.deliveryMinutes(atMost: 45))]) }),
        CatalogRead(
            name: "items of a price",
            run: candidates { storefront, chance in
                // The lowest prices of the generated catalog are about 99 cents.
                .all([.kind(.topApp), .price(.paid), .price(.atMost([storefront.currency: chance.pick([400, 800, 1_600])]))])
            }),
        CatalogRead(name: "items on sale", run: candidates { _, _ in .discounted(atLeastPercent: 0) }),
        CatalogRead(name: "items at half of their price", run: candidates { _, _ in .discounted(atLeastPercent: 50) }),
        CatalogRead(
            name: "free items that are not on sale",
            run: candidates { _, _ in .all([.price(.free), .not(.discounted(atLeastPercent: 0))]) }),
        CatalogRead(
            name: "items of a kind, for four platforms",
            run: candidates(platforms: ["android", "ios", "ipados", "macos"]) { _, chance in .kind(chance.pick([.topApp, .foodApp])) }),
    ]

    /// Finds 50 items of a rule, which has some in every storefront.
    private static func candidates(
        by order: CandidateRequest.Order = .rating, platforms: [String] = [],
        _ rule: @escaping @Sendable (Storefront, inout ReadChance) -> Rule
    ) -> Call {
        { reader, storefront, _, chance in
            let rule = rule(storefront, &chance)
            guard try await reader.candidates(of: rule, by: order, in: storefront, platforms: platforms) > 0 else {
                throw BenchmarkFailure(reason: "no item in \(storefront.key) meets \(rule)")
            }
        }
    }

    private static func version(_ text: String) -> [PlatformVersion] {
        Version(text).map { [PlatformVersion(platform: "ios", version: $0)] } ?? []
    }
}

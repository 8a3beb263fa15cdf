internal import JSON

/// Makes the record at a place of a synthetic catalog.
struct SyntheticItem: Sendable {
    let shops: SampleShops
    let seed: UInt64
    /// What is the same in many records, as it is written.
    let phrases: SyntheticPhrases

    init(seed: UInt64, shops: SampleShops) {
        self.seed = seed
        self.shops = shops
        phrases = SyntheticPhrases(shops.storefronts)
    }

    func line(at place: Int) -> [UInt8] {
        var chance = Chance(seed: seed, stream: UInt64(place))
        let isTopApp = !chance.isTrue(percent: 25)
        var json = JSONWriter(capacity: 1_536)
        json.beginObject()
        json.member("kind", isTopApp ? "topApp" : "foodApp")
        let here = appendCommon(to: &json, isTopApp, place, &chance)
        if isTopApp { appendTopApp(to: &json, here, place, &chance) } else { appendFoodApp(to: &json, here, &chance) }
        json.endObject()
        var bytes = json.bytes
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Returns the storefronts that the item is for.
    private func appendCommon(to json: inout JSONWriter, _ isTopApp: Bool, _ place: Int, _ chance: inout Chance) -> [Int] {
        let title = Title(&chance)
        let name = "\(String(seed, radix: 36))-\(String(place, radix: 36))"
        json.member("source", "synthetic-\(name)")
        json.member("slug", "\(title.slug)-\(name)")
        title.append(to: &json)
        let categories = isTopApp ? shops.topAppCategories : shops.foodAppCategories
        let main = chance.rank(below: categories.count)
        let second = chance.rank(below: categories.count)
        json.member(
            "categories", second != main && chance.isTrue(percent: 30) ? [categories[main], categories[second]] : [categories[main]])
        // Every eighth nobody has rated yet.
        if !chance.isTrue(percent: 12) {
            json.member("rating") {
                // The most popular has this many, the n-th a n-th of them; the better half lies above 4.2.
                $0.member("count", 4_000_000 / (1 + chance.below(1_000_000)))
                $0.member("average", ((1 + 4 * chance.part().squareRoot().squareRoot()) * 100).rounded() / 100)
            }
        }
        return appendAvailability(to: &json, isTopApp, &chance)
    }

    private func appendAvailability(to json: inout JSONWriter, _ isTopApp: Bool, _ chance: inout Chance) -> [Int] {
        let all = Array(shops.storefronts.indices)
        guard chance.isTrue(percent: isTopApp ? 12 : 45) else { return all }
        // Whoever delivers does so in one or two countries.
        let count = isTopApp ? 1 + chance.below(all.count - 1) : 1 + chance.below(2)
        let first = chance.below(all.count)
        let here = (0..<count).map { (first + $0) % all.count }.sorted()
        let window = chance.isTrue(percent: 15) ? phrases.windows[chance.below(phrases.windows.count)] : phrases.always
        json.member("availability") { json in
            for storefront in here {
                json.key(shops.storefronts[storefront].key)
                json.rendered(window)
            }
        }
        return here
    }

    private func appendTopApp(to json: inout JSONWriter, _ here: [Int], _ place: Int, _ chance: inout Chance) {
        let developer = chance.rank(below: 65_536)
        let words = Words.studio(developer)
        json.member("bundleID", "example.\(words.first.lowercased())\(developer).app\(place)")
        json.member("developer", "\(words.first) \(words.second)")
        json.member("appVersion", "\(1 + chance.rank(below: 30)).\(chance.below(20)).\(chance.below(10))")
        // The sum of dice in the exponent: 2 to 2,000 MB, most of them some tens.
        let exponent = 21 + chance.below(4) + chance.below(4) + chance.below(4)
        json.member("sizeBytes", 1 << exponent + chance.below(1 << exponent))
        json.member("minimumOS", "\(12 + chance.below(7)).0")
        json.key("platforms")
        json.rendered(chance.pick(of: phrases.platforms))
        json.member("ageRating", ["4+", "4+", "4+", "4+", "9+", "9+", "12+", "17+"][chance.below(8)])
        json.member("releaseDate", SyntheticPhrases.date(daysAgo: daysAgo(&chance)))
        if chance.isTrue(percent: 40) { json.member("homepage", "https://app\(place).example/") }
        if chance.isTrue(percent: 11) {
            let tier = chance.pick(of: phrases.priceTiers)
            json.member("prices") { appendMoney(to: &$0, here, tier) }
        }
    }

    private func appendFoodApp(to json: inout JSONWriter, _ here: [Int], _ chance: inout Chance) {
        let words = Words.studio(chance.rank(below: 16_384))
        json.member("brand", "\(words.first) \(chance.pick(of: Words.kitchens))")
        let cuisine = chance.rank(below: Words.cuisines.count)
        let other = chance.rank(below: Words.cuisines.count)
        json.member("cuisines", other == cuisine ? [Words.cuisines[cuisine]] : [Words.cuisines[cuisine], Words.cuisines[other]])
        let tag = chance.below(Words.dietaryTags.count * 2)
        if tag < Words.dietaryTags.count { json.member("dietaryTags", [Words.dietaryTags[tag]]) }
        let from = 10 + 5 * (chance.below(4) + chance.below(4))
        json.member("deliveryMinutes") {
            $0.member("from", from)
            $0.member("to", from + 10 + 5 * chance.below(4))
        }
        let band = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4][chance.below(20)]
        json.member("priceBand", band)
        let (minimum, fee) = (phrases.minimumTiers[band - 1], chance.pick(of: phrases.feeTiers))
        json.member("minimumOrder") { appendMoney(to: &$0, here, minimum) }
        json.member("deliveryFee") { appendMoney(to: &$0, here, fee) }
        json.key("openingHours")
        json.rendered(chance.pick(of: phrases.openingHours))
        json.member("releaseDate", SyntheticPhrases.date(daysAgo: daysAgo(&chance)))
    }

    private func appendMoney(to json: inout JSONWriter, _ here: [Int], _ tier: [[UInt8]]) {
        for storefront in here {
            json.key(shops.storefronts[storefront].key)
            json.rendered(tier[storefront])
        }
    }

    /// The more of them the more recent, up to fifteen years.
    private func daysAgo(_ chance: inout Chance) -> Int {
        let part = chance.part()
        return Int(part * part * 5_500)
    }
}

struct SyntheticItem: Sendable {
    let sample: SampleStorefronts
    let seed: UInt64
    /// The texts that many records share.
    let phrases: SyntheticPhrases

    init(seed: UInt64, sample: SampleStorefronts) {
        self.seed = seed
        self.sample = sample
        phrases = SyntheticPhrases(sample)
    }

    func line(at index: Int) -> [UInt8] {
        var chance = SeededGenerator(seed: seed, stream: UInt64(index))
        var line = JSONLineBuilder()
        let isTopApp = !chance.isTrue(percent: 25)
        line.add(isTopApp ? #"{"kind":"topApp""# : #"{"kind":"foodApp""#)
        addCommon(to: &line, isTopApp, index, &chance)
        let here = addAvailability(to: &line, isTopApp, &chance)
        if isTopApp { addTopApp(to: &line, here, index, &chance) } else { addFoodApp(to: &line, here, &chance) }
        line.add(#","releaseDate":""#)
        // Recent dates are more likely. The oldest is fifteen years ago.
        let part = chance.part()
        line.add(phrases.dates[Int(part * part * Double(phrases.dates.count))])
        line.add("\"}\n")
        return line.bytes
    }

    /// Returns the name by which a chart refers to the item at a position, or nil if the item is of the other kind.
    func reference(at index: Int, isTopApp: Bool) -> [UInt8]? {
        var chance = SeededGenerator(seed: seed, stream: UInt64(index))
        guard isTopApp != chance.isTrue(percent: 25) else { return nil }
        var line = JSONLineBuilder()
        line.add(isTopApp ? #""topapp:"# : #""foodapp:"#)
        addSlug(of: Title(&chance), index, to: &line)
        line.add("\"")
        return line.bytes
    }

    private func addSlug(of title: Title, _ index: Int, to line: inout JSONLineBuilder) {
        title.addSlug(to: &line)
        line.add("-")
        line.add(seed, radix: 36)
        line.add("-")
        line.add(index, radix: 36)
    }

    private func addCommon(to line: inout JSONLineBuilder, _ isTopApp: Bool, _ index: Int, _ chance: inout SeededGenerator) {
        let title = Title(&chance)
        line.add(#","source":"synthetic-"#)
        line.add(seed, radix: 36)
        line.add("-")
        line.add(index, radix: 36)
        line.add(#"","slug":""#)
        addSlug(of: title, index, to: &line)
        line.add("\"")
        title.add(to: &line)
        let categories = isTopApp ? phrases.topAppCategories : phrases.foodAppCategories
        let main = chance.rank(below: categories.count)
        let second = chance.rank(below: categories.count)
        line.add(#","categories":["#)
        line.add(categories[main])
        if second != main, chance.isTrue(percent: 30) {
            line.add(",")
            line.add(categories[second])
        }
        line.add("]")
        // Of a million items, the most popular one has this many ratings and the n-th has 1/n of them. So six of ten have none,
        // and half of the others have one. The better half is rated above 4.3.
        let ratings = 400_000 / (1 + chance.below(1_000_000))
        guard ratings > 0 else { return }
        line.add(#","rating":{"count":"#)
        line.add(ratings)
        line.add(#","average":"#)
        line.add(hundredths: 100 + Int((400 * chance.part().squareRoot().squareRoot()).rounded()))
        line.add("}")
    }

    /// Adds the availability. Returns the storefronts of the item.
    private func addAvailability(to line: inout JSONLineBuilder, _ isTopApp: Bool, _ chance: inout SeededGenerator) -> [Int] {
        guard chance.isTrue(percent: isTopApp ? 12 : 45) else { return phrases.everywhere }
        // A delivery service covers one or two countries.
        let all = phrases.everywhere.count
        let count = isTopApp ? 1 + chance.below(all - 1) : 1 + chance.below(2)
        let first = chance.below(all)
        let here = (0..<count).map { (first + $0) % all }
        let window = chance.isTrue(percent: 15) ? chance.pick(of: phrases.windows) : phrases.always
        line.add(#","availability":{"#)
        for storefront in here {
            if storefront != first { line.add(",") }
            line.add(phrases.storefronts[storefront])
            line.add(window)
        }
        line.add("}")
        return here
    }

    private func addTopApp(to line: inout JSONLineBuilder, _ here: [Int], _ index: Int, _ chance: inout SeededGenerator) {
        let developer = chance.rank(below: 65_536)
        line.add(#","bundleId":"example.studio"#)
        line.add(developer)
        line.add(".app")
        line.add(index)
        line.add(#"","developer":""#)
        Words.addStudio(developer, to: &line)
        line.add(#"","appVersion":""#)
        line.add(1 + chance.rank(below: 30))
        line.add(".")
        line.add(chance.below(20))
        // The exponent is a sum of dice: 2 to 2,000 MB, mostly some tens.
        let exponent = 21 + chance.below(4) + chance.below(4) + chance.below(4)
        line.add(#"","sizeBytes":"#)
        line.add(1 << exponent + chance.below(1 << exponent))
        line.add(#","minimumOsVersion":""#)
        line.add(12 + chance.below(7))
        line.add(#".0","platforms":"#)
        line.add(chance.pick(of: phrases.platforms))
        line.add(#","ageRating":""#)
        line.add(chance.pick(of: phrases.ageRatings))
        line.add("\"")
        if chance.isTrue(percent: 40) {
            line.add(#","homepage":"https://app"#)
            line.add(index)
            line.add(#".example/""#)
        }
        if chance.isTrue(percent: 11) { addMoney(to: &line, #","prices":{"#, here, chance.pick(of: phrases.priceTiers)) }
    }

    private func addFoodApp(to line: inout JSONLineBuilder, _ here: [Int], _ chance: inout SeededGenerator) {
        line.add(#","brand":""#)
        Words.addStudio(chance.rank(below: 16_384), to: &line)
        line.add(#"","cuisines":[""#)
        let cuisine = chance.rank(below: Words.cuisines.count)
        let other = chance.rank(below: Words.cuisines.count)
        line.add(Words.cuisines[cuisine])
        if other != cuisine {
            line.add(#"",""#)
            line.add(Words.cuisines[other])
        }
        line.add(#""]"#)
        let tag = chance.below(Words.dietaryTags.count * 2)
        if tag < Words.dietaryTags.count {
            line.add(#","dietaryTags":[""#)
            line.add(Words.dietaryTags[tag])
            line.add(#""]"#)
        }
        let from = 10 + 5 * (chance.below(4) + chance.below(4))
        line.add(#","deliveryMinutes":{"from":"#)
        line.add(from)
        line.add(#","to":"#)
        line.add(from + 10 + 5 * chance.below(4))
        let band = chance.pick(of: phrases.priceBands)
        line.add(#"},"priceBand":"#)
        line.add(band)
        addMoney(to: &line, #","minimumOrder":{"#, here, phrases.minimumTiers[band - 1])
        addMoney(to: &line, #","deliveryFee":{"#, here, chance.pick(of: phrases.feeTiers))
        line.add(#","openingHours":"#)
        line.add(chance.pick(of: phrases.openingHours))
    }

    private func addMoney(to line: inout JSONLineBuilder, _ start: String, _ here: [Int], _ tier: [[UInt8]]) {
        line.add(start)
        for storefront in here {
            if storefront != here[0] { line.add(",") }
            line.add(phrases.storefronts[storefront])
            line.add(tier[storefront])
        }
        line.add("}")
    }
}

struct Title {
    private let adjective: Int
    private let noun: Int
    private let kind: Int?
    /// The languages except English, one bit each.
    private let languages: Int
    private let hasSubtitle: Bool
    /// A name that is the same in all languages and that few items share.
    private let name: Int?
    /// The countries with their own English text, one bit each.
    private let countries: Int

    init(_ chance: inout SeededGenerator) {
        adjective = chance.below(Words.english.adjectives.count)
        noun = chance.below(Words.english.nouns.count)
        kind = chance.isTrue(percent: 60) ? chance.below(Words.english.kinds.count) : nil
        // Half of the items have only English texts.
        languages = chance.isTrue(percent: 50) ? chance.below(8) : 0
        hasSubtitle = chance.isTrue(percent: 80)
        name = chance.isTrue(percent: 35) ? chance.rank(below: Words.names) : nil
        countries = chance.isTrue(percent: 10) ? chance.below(1 << Words.countries.count) : 0
    }

    func addSlug(to line: inout JSONLineBuilder) {
        line.add(Words.slugs.adjectives[adjective])
        line.add("-")
        line.add(Words.slugs.nouns[noun])
    }

    func add(to line: inout JSONLineBuilder) {
        line.add(#","title":{"en":""#)
        add(in: Words.english, to: &line)
        for (index, language) in Words.others.enumerated() where languages >> index & 1 == 1 {
            line.add(language.key)
            add(in: language, to: &line)
        }
        for (index, country) in Words.countries.enumerated() where countries >> index & 1 == 1 {
            line.add(country)
            add(in: Words.english, to: &line)
        }
        line.add(#""}"#)
        guard hasSubtitle else { return }
        line.add(#","subtitle":{"en":""#)
        Words.english.addSubtitle(noun, adjective, to: &line)
        for (index, language) in Words.others.enumerated() where languages >> index & 1 == 1 {
            line.add(language.key)
            language.addSubtitle(noun, adjective, to: &line)
        }
        line.add(#""}"#)
    }

    private func add(in language: Words.Language, to line: inout JSONLineBuilder) {
        language.addTitle(adjective, noun, kind, to: &line)
        guard let name else { return }
        line.add(" ")
        Words.addName(name, to: &line)
    }
}

/// What a synthetic item is called, in English and often in other languages.
struct Title {
    private let adjective: Int
    private let noun: Int
    private let kind: Int?
    /// A bit for each language but English.
    private let languages: Int
    private let hasSubtitle: Bool
    /// A word that is the same in all languages, of which few items have the same.
    private let name: Int?
    /// A bit for each country that reads another English.
    private let countries: Int

    init(_ chance: inout SeededGenerator) {
        adjective = chance.below(Words.english.adjectives.count)
        noun = chance.below(Words.english.nouns.count)
        kind = chance.isTrue(percent: 60) ? chance.below(Words.english.kinds.count) : nil
        // Every other item is in English alone.
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
        for (place, language) in Words.others.enumerated() where languages >> place & 1 == 1 {
            line.add(language.key)
            add(in: language, to: &line)
        }
        for (place, country) in Words.countries.enumerated() where countries >> place & 1 == 1 {
            line.add(country)
            add(in: Words.english, to: &line)
        }
        line.add(#""}"#)
        guard hasSubtitle else { return }
        line.add(#","subtitle":{"en":""#)
        Words.english.addSubtitle(noun, adjective, to: &line)
        for (place, language) in Words.others.enumerated() where languages >> place & 1 == 1 {
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

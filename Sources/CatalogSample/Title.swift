internal import JSON

/// What a synthetic item is called, in English and often in other languages.
struct Title {
    private let adjective: Int
    private let noun: Int
    private let kind: Int?
    private let locales: [Words.Language]
    private let hasSubtitle: Bool

    init(_ chance: inout Chance) {
        adjective = chance.below(Words.english.adjectives.count)
        noun = chance.below(Words.english.nouns.count)
        kind = chance.isTrue(percent: 60) ? chance.below(Words.english.kinds.count) : nil
        let bits = chance.below(8)
        // Every other item is in English alone.
        locales = chance.isTrue(percent: 50) ? Words.others.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element) : []
        hasSubtitle = chance.isTrue(percent: 80)
    }

    var slug: String { "\(Words.english.adjectives[adjective])-\(Words.english.nouns[noun])".lowercased() }

    func append(to json: inout JSONWriter) {
        json.member("title") { json in
            json.member("en", Words.english.title(adjective, noun, kind))
            for language in locales { json.member(language.locale, language.title(adjective, noun, kind)) }
        }
        guard hasSubtitle else { return }
        json.member("subtitle") { json in
            json.member("en", Words.english.subtitle(noun, adjective))
            for language in locales { json.member(language.locale, language.subtitle(noun, adjective)) }
        }
    }
}

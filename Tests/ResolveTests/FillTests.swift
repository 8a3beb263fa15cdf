import JSON
import Resolve
import Testing

@Suite("The shelf of a section")
struct FillTests {
    private let beta = Target([.tags(["beta"])])

    /// Creates a section from words: `a` is a candidate, `2:a` a pin at slot 2, `a@ios` runs on one platform, `-` is a
    /// card, and a pin with `?` has the target `beta`.
    private func section(
        _ id: String, _ words: String, size: Int, minItems: Int = 1, without: [String] = [], target: Target? = nil
    ) -> ResolvableSection {
        let placements = words.split(separator: " ").map { word -> Placement in
            let slot = word.firstIndex(of: ":").flatMap { Int(word[..<$0]) }
            let parts = word.drop { $0.isNumber || $0 == ":" }.split(separator: "@")
            let name = parts[0].filter { $0 != "?" }
            return Placement(
                id: "\(id)/\(name)", item: name == "-" ? nil : name,
                pin: slot.map { .init(slot: $0, target: word.contains("?") ? beta : nil) },
                platforms: parts.count > 1 ? [String(parts[1])] : nil)
        }
        return ResolvableSection(
            id: id, target: target, fill: Fill(size: size, minItems: minItems, without: without), placements: placements)
    }

    private func shown(_ page: Edition, _ facts: ClientFacts = .nothingKnown) -> [String: String] {
        let sections = resolve(page, facts).sections.map { section in
            (section.id, (section.fill == nil ? "" : "open ") + section.placements.map { $0.item ?? "-" }.joined())
        }
        return Dictionary(sections) { first, _ in first }
    }

    private func shelf(_ words: String, size: Int, minItems: Int = 1, _ facts: ClientFacts = .nothingKnown) -> String? {
        shown(Edition(sections: [section("s", words, size: size, minItems: minItems)]), facts)["s"]
    }

    private func on(_ platform: String) -> ClientFacts {
        var facts = ClientFacts()
        facts.platform = .said(platform)
        return facts
    }

    private func tagged(_ tags: Fact<Set<String>>) -> ClientFacts {
        var facts = ClientFacts()
        facts.tags = tags
        return facts
    }

    @Test("Pins keep their slots, candidates fill the others, and each item appears once")
    func pins() {
        #expect(shelf("a b c", size: 2) == "ab")
        #expect(shelf("0:x a 2:y b c", size: 5) == "xaybc")
        #expect(shelf("a 2:y b 0:b c", size: 5) == "bayc")
        #expect(shelf("3:x a", size: 10) == "ax")
        #expect(shelf("0:x 7:y a b c y", size: 4) == "xabc")
        #expect(shelf("1:- a b", size: 2) == "a-")
        #expect(shelf("a a b", size: 2) == "ab")
    }

    @Test("A shelf with too few placements is not shown, and neither is an empty one")
    func minimum() {
        #expect(shelf("a b", size: 5, minItems: 3) == nil)
        #expect(shelf("a b 0:-", size: 5, minItems: 3) == "-ab")
        #expect(shelf("", size: 5, minItems: 0) == nil)
    }

    @Test("A client sees the items that run on its platform, and all of them if it states none")
    func platforms() {
        let words = "a@ios b@android c 0:d@android"
        #expect(shelf(words, size: 5) == "open abcd")
        #expect(shelf(words, size: 5, on("ios")) == "ac")
        #expect(shelf(words, size: 5, on("android")) == "dbc")
        #expect(shelf(words, size: 5, .nothingSaid) == "dabc")
    }

    @Test("The item of a pin that the client does not see comes in by the rule")
    func hiddenPin() {
        let words = "a b 0:b?"
        #expect(shelf(words, size: 2) == "open abb")
        #expect(shelf(words, size: 2, tagged(.said(["beta"]))) == "ba")
        #expect(shelf(words, size: 2, tagged(.notSaid)) == "ab")
    }

    @Test("A section repeats neither items nor waits for sections that are not shown")
    func without() {
        func page(_ target: Target?, minItems: Int = 1) -> Edition {
            Edition(sections: [
                section("hero", "a b -", size: 2, minItems: minItems, target: target),
                section("top", "a b c d 0:a", size: 2, without: ["hero", "missing"]),
                section("more", "a c d", size: 2, without: ["top"]),
            ])
        }
        #expect(shown(page(nil)) == ["hero": "ab", "top": "ac", "more": "d"])
        #expect(shown(page(nil, minItems: 3)) == ["top": "ab", "more": "cd"])
        #expect(shown(page(beta)) == ["hero": "ab", "top": "open bcda", "more": "open acd"])
        #expect(shown(page(beta), tagged(.said(["beta"]))) == ["hero": "ab", "top": "ac", "more": "d"])
        #expect(shown(page(beta), tagged(.notSaid)) == ["top": "ab", "more": "cd"])
    }

    @Test("Candidates that no client can need are omitted, and a shelf that does not depend on them is filled")
    func cut() {
        #expect(shelf("a b c@ios d", size: 2) == "ab")
        #expect(shelf("a@ios b@ios c@ios d e f", size: 2) == "open abde")
        #expect(shelf("a@ios b@android c@android d@ios", size: 1) == "open ab")
        #expect(shelf("a b c d e 0:d?", size: 2) == "open abcd")
    }

    @Test("A reader omits placements that it does not understand, and a section whose fill it cannot read")
    func reading() throws {
        let text = """
            {"sections": [
                {"id": "s", "fill": {"size": 3}, "items": [{"placement": "s/a", "item": "a"}, {"placement": "s/b"},
                    {"placement": "s/c", "item": "c", "on": []}, {"placement": "s/d", "item": "d", "target": {"tags": ["beta"]}},
                    {"placement": "s/e", "item": "e", "pin": "first"}, {"placement": "s/f", "card": {"title": "F"}, "pin": 0}]},
                {"id": "t", "fill": {"size": -1}, "items": []}, {"id": "u", "target": 5, "items": []}]}
            """
        let page = try JSONDocument(parsing: Array(text.utf8)).decodeLeniently(Edition.self).value
        #expect(page.sections.map(\.id) == ["s", "u"])
        #expect(page.sections[0].placements.map(\.id) == ["s/a", "s/f"])
        #expect(resolve(page, .nothingKnown).sections.map { $0.placements.map(\.id) } == [["s/f", "s/a"]])
    }
}

import Feeds
import JSON
import Testing

@Suite("The diff of two feed documents")
struct FeedDiffTests {
    private func difference(_ before: String, _ after: String) throws -> FeedDiff {
        FeedDiff(from: try FeedDocument(parsing: Array(before.utf8)), to: try FeedDocument(parsing: Array(after.utf8)))
    }

    private func reported(_ difference: FeedDiff) -> [String] {
        difference.lines.map { String(repeating: "  ", count: $0.depth) + "\($0.mark.rawValue) \($0.text)" }
    }

    private func document(_ keys: [String], _ members: [String: String?] = [:]) -> String {
        let sections = keys.dropFirst().map { #","# + Self.section($0) }.joined()
        return ExampleFeed.document(["key": "\"\(keys[0])\""].merging(members) { $1 }, sections: sections)
    }

    private static func section(_ key: String) -> String {
        #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "appRow", "rule": {"kind": "topApp"}}"#
    }

    @Test("A diff describes each changed field of a section")
    func members() throws {
        let before = document(["hero"], ["title": #"{"en": "Big", "de": "Groß"}"#, "layout": #"{"carousel": {"rows": 3}}"#, "size": "10"])
        let after = document(
            ["hero"],
            [
                "title": #"{"en": "Bigger", "de": "Groß", "ar": "أكبر"}"#, "layout": #"{"grid": {"columns": 3}}"#, "minItems": "2",
                "rule": #"{"all": [{"kind": "topApp"}, {"rating": {"atLeast": 4.5}}]}"#, "target": #"{"platforms": ["ios", "tvos"]}"#,
            ])
        #expect(
            reported(try difference(before, after)) == [
                "~ section hero, \"Bigger\"", "  + title ar: أكبر", "  ~ title en: Big → Bigger",
                "  ~ layout: carousel rows 3 → grid columns 3", "  ~ rule: kind topApp → kind topApp, rated 4.5 or better",
                "  + minItems: 2", "  + target platforms: ios, tvos", "  - size: 10",
            ])
    }

    @Test("A diff describes each changed bound of a period")
    func period() throws {
        let before = document(["hero"], ["during": #"{"from": "2027-02-08T18:00"}"#])
        let after = document(["hero"], ["during": #"{"from": "2027-02-08T18:00:00Z", "until": "2027-03-09T02:00"}"#])
        #expect(
            reported(try difference(before, after)) == [
                "~ section hero", "  ~ during from: 2027-02-08T18:00 → 2027-02-08T18:00:00Z", "  + during until: 2027-03-09T02:00",
            ])
        #expect(
            reported(try difference(after, document(["hero"]))) == [
                "~ section hero", "  - during from: 2027-02-08T18:00:00Z", "  - during until: 2027-03-09T02:00",
            ])
    }

    @Test("A diff identifies pins by their items, including pins that only change their slots")
    func pins() throws {
        func pins(_ list: [(Int, String)]) -> [String: String?] {
            ["pins": "[" + list.map { #"{"slot": \#($0.0), "item": "topapp:\#($0.1)"}"# }.joined(separator: ", ") + "]"]
        }
        let difference = try difference(
            document(["hero"], pins([(0, "a"), (1, "b"), (2, "c")])), document(["hero"], pins([(0, "b"), (2, "c"), (3, "d")])))
        #expect(
            reported(difference) == [
                "~ section hero", "  - pin topapp:a at slot 0", "  > pin topapp:b: slot 1 → 0", "  + pin topapp:d at slot 3",
            ])
    }

    @Test("A diff identifies cards by their keys, and describes each changed field of a pin's card, appearance and target")
    func cards() throws {
        func pins(_ list: String...) -> [String: String?] { ["pins": "[" + list.joined(separator: ", ") + "]"] }
        func card(_ slot: Int, _ title: String) -> String {
            let texts = #""title": {"en": "\#(title)", "de": "Iftar"}, "subtitle": {"en": "\#(title) begins"}"#
            return #"{"slot": \#(slot), "card": {"key": "ramadan", \#(texts)}}"#
        }
        func item(_ slot: Int, _ item: String, _ more: String = "") -> String { #"{"slot": \#(slot), "item": "topapp:\#(item)"\#(more)}"# }
        let difference = try difference(
            document(["hero"], pins(card(0, "Iftar"), item(1, "a"), item(2, "b"), item(3, "c"))),
            document(
                ["hero"],
                pins(
                    item(0, "a"), card(1, "Iftar near you"), item(2, "b", #", "target": {"platforms": ["ios"]}"#),
                    item(3, "c", #", "show": {"title": {"en": "Other"}}"#))))
        #expect(
            reported(difference) == [
                "~ section hero", "  > pin topapp:a: slot 1 → 0", "  > pin ~ramadan: slot 0 → 1",
                "    ~ card title en: Iftar → Iftar near you", "    ~ card subtitle en: Iftar begins → Iftar near you begins",
                "  ~ pin topapp:b at slot 2", "    + target platforms: ios", "  ~ pin topapp:c at slot 3", "    + show title en: Other",
            ])
        let text = String(decoding: try difference.json(), as: UTF8.self)
        let change = #"{"pointer":"/card/title/en","before":"Iftar","after":"Iftar near you"}"#
        #expect(text.contains(#"{"card":"ramadan","fromSlot":0,"toSlot":1,"contentChanged":true,"fields":[\#(change),"#))
        #expect(text.contains(#"{"item":"topapp:a","fromSlot":1,"toSlot":0}"#))
    }

    @Test("A diff moves the minimum number of sections")
    func sections() throws {
        let difference = try difference(document(["a", "b", "c", "d"]), document(["d", "a", "x", "c"]))
        let lines = reported(difference).filter { !$0.hasPrefix(" ") }
        #expect(
            lines == [
                "- section b, removed from position 2", "> section d, moved from position 4 to 1", "+ section x, added at position 3",
            ])
        let all = String(decoding: try difference.json(), as: UTF8.self)
        #expect(all.contains(#"{"section":"d","change":"moved","fromPosition":3,"toPosition":0}"#))
        #expect(all.contains(#"{"section":"b","change":"removed","fromPosition":1}"#))
    }

    @Test("A diff contains changes outside the sections")
    func head() throws {
        let difference = try difference(
            ExampleFeed.document(),
            ExampleFeed.document(feed: ["title": #"{"en": "Tonight"}"#, "configuration": #"{"interSectionSpacing": 8}"#]))
        #expect(reported(difference) == ["~ title en: Today → Tonight", "+ configuration interSectionSpacing: 8"])
    }

    @Test("A diff is empty if and only if the documents are equal")
    func random() throws {
        var documents: [FeedDocument] = []
        for seed in 0..<150 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            documents.append(try FeedDocument(parsing: random.document().json()))
        }
        for before in documents {
            for after in documents where before.key == after.key {
                let difference = FeedDiff(from: before, to: after)
                #expect(difference.isEmpty == (before == after))
                #expect(difference.lines.isEmpty == difference.isEmpty)
            }
        }
    }

    @Test("A diff shows each field of a section that changes alone")
    func eachMember() throws {
        for seed in 0..<40 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let value = random.document()
            let before = try FeedDocument(parsing: value.json())
            guard case .object(let members) = value, case .array(let sections)? = members.first(where: { $0.key == "sections" })?.value
            else { continue }
            for (index, section) in sections.enumerated() {
                guard case .object(let said) = section else { continue }
                for member in said {
                    var others = sections
                    others[index] = .object(said.filter { $0.key != member.key })
                    let changed = JSONValue.object(
                        members.map { $0.key == "sections" ? .init(key: "sections", value: .array(others)) : $0 })
                    guard let after = try? FeedDocument(parsing: changed.json()), after != before else { continue }
                    let difference = FeedDiff(from: before, to: after)
                    let reported = difference.sections.flatMap { $0.members.map { $0.path[0] } + ($0.pins.isEmpty ? [] : ["pins"]) }
                    #expect(reported.contains(member.key), "seed \(seed), \(member.key)")
                }
            }
        }
    }
}

import Arguments
import JSON
import Testing

@testable import CLI

/// The drafts of feeds, as commands change them.
@Suite struct FeedDraftTests {
    private func draft(_ sections: String...) throws -> FeedDraft {
        let list = sections.map { #"{"key": "\#($0)", "pins": [{"slot": 2, "item": "topapp:two"}, {"slot": 0, "item": "topapp:zero"}]}"# }
        let text = #"{"feed": "today", "sections": [\#(list.joined(separator: ","))]}"#
        return FeedDraft(JSONValue(try JSONDocument(parsing: text).root))
    }

    private func section(_ key: String) -> JSONValue { .object([.init(key: "key", value: .string(key))]) }

    @Test(
        "A section is added at, and moved to, the requested position",
        arguments: [
            (FeedDraft.Position.first, ["x", "a", "b", "c"], 0), (.last, ["a", "b", "c", "x"], 3),
            (.before("b"), ["a", "x", "b", "c"], 1), (.after("b"), ["a", "b", "x", "c"], 2), (.after("c"), ["a", "b", "c", "x"], 3),
        ])
    func places(destination: FeedDraft.Position, keys: [String], position: Int) throws {
        var added = try draft("a", "b", "c")
        #expect(try added.add(section("x"), at: destination) == .put(section: "x", position: position))
        #expect(added.keys == keys)
        for start in [["x", "a", "b", "c"], ["a", "b", "c", "x"], ["a", "b", "x", "c"]] {
            var moved = try draft(start[0], start[1], start[2], start[3])
            #expect(try moved.move("x", to: destination) == .put(section: "x", position: position))
            #expect(moved.keys == keys)
        }
    }

    @Test("A section keeps its key, which names locations in it")
    func keys() throws {
        var edited = try draft("hero", "top")
        #expect { try edited.set("top") { $0["key"] = .string("other") } } throws: { ($0 as? RemoteError)?.exitCode == .invalid }
        #expect { try edited.set("top") { $0["key"] = nil } } throws: { ($0 as? RemoteError)?.exitCode == .invalid }
        #expect(edited.keys == ["hero", "top"])
        for (pointer, location) in [
            ("/sections/1/pins/0/item", "top/pins/0/item"), ("/sections/1", "top"), ("/sections/2/pins", "/sections/2/pins"),
            ("/sections", "/sections"), ("/sections/-1", "/sections/-1"), ("", ""),
        ] {
            #expect(edited.location(try #require(JSONPointer(pointer))) == location)
        }
        let night = FeedDraft(edited.document, line: "night")
        #expect { try night.section("none") } throws: { ($0 as? RemoteError)?.advice.contains("--line night") == true }
    }

    @Test("An impossible edit is refused and changes nothing")
    func refusals() throws {
        let start = try draft("hero", "top")
        var edited = start
        #expect { try edited.add(section("top"), at: .last) } throws: { ($0 as? RemoteError)?.exitCode == .conflict }
        #expect { try edited.move("hero", to: .before("hero")) } throws: { ($0 as? RemoteError)?.exitCode == .invalid }
        #expect { try edited.move("hero", to: .after("topp")) } throws: { ($0 as? RemoteError)?.advice == "did you mean 'top'?" }
        #expect { try edited.remove("none") } throws: { ($0 as? RemoteError)?.exitCode == .notFound }
        #expect { try edited.addPin("topapp:x", to: "top", at: 0, replacing: false) } throws: {
            ($0 as? RemoteError)?.message == "topapp:zero is pinned at slot 0 of 'top'"
        }
        #expect { try edited.addPin("topapp:zero", to: "top", at: 1, replacing: true) } throws: {
            ($0 as? RemoteError)?.exitCode == .conflict
        }
        #expect { try edited.removePin("topapp:x", of: "top") } throws: { ($0 as? RemoteError)?.exitCode == .notFound }
        #expect(edited.document == start.document)
    }

    @Test("Pins go to free slots, replace others if requested, and swap slots")
    func pins() throws {
        var draft = try draft("top")
        #expect(try draft.addPin("topapp:x", to: "top", at: nil, replacing: false).slot == 1)
        #expect(try draft.addPin("topapp:y", to: "top", at: 1, replacing: true).slot == 1)
        #expect(try draft.pins(of: "top").map(\.item) == ["topapp:zero", "topapp:y", "topapp:two"])
        #expect(try draft.movePin("topapp:two", of: "top", to: 0).swapped == FeedDraft.Pin(slot: 2, item: "topapp:zero"))
        #expect(try draft.pins(of: "top").map(\.item) == ["topapp:two", "topapp:y", "topapp:zero"])
        #expect(try draft.movePin("topapp:y", of: "top", to: 7).swapped == nil)
        #expect(try draft.movePin("topapp:y", of: "top", to: 7).swapped == nil)
        #expect(try draft.pins(of: "top").map(\.slot) == [0, 2, 7])
        for item in ["topapp:two", "topapp:y", "topapp:zero"] { _ = try draft.removePin(item, of: "top") }
        #expect(try draft.section("top")["pins"] == nil)
    }

    /// A draft with a card, an item with an appearance, and a pin of a kind that this program does not know.
    private func cardDraft() throws -> FeedDraft {
        let pins = [Self.card.replacing("SLOT", with: "0"), Self.item.replacing("SLOT", with: "1"), Self.unknown]
        let text = #"{"feed": "today", "sections": [{"key": "top", "pins": [\#(pins.joined(separator: ","))]}]}"#
        return FeedDraft(JSONValue(try JSONDocument(parsing: text).root))
    }

    private static let card =
        #"{"slot":SLOT,"card":{"key":"ramadan","title":{"en":"Iftar","de":"Abends"}},"target":{"platforms":["ios"]}}"#
    private static let item = #"{"slot":SLOT,"item":"topapp:a","show":{"title":{"en":"Other"}},"later":true}"#
    private static let unknown = #"{"slot":2,"widget":{"key":"clock"}}"#

    @Test("Pins keep their cards, appearances, targets and unknown fields when others move")
    func fields() throws {
        var draft = try cardDraft()
        #expect(try draft.pins(of: "top").map(\.name) == ["~ramadan", "topapp:a"])
        #expect(try draft.movePin("~ramadan", of: "top", to: 1).swapped?.name == "topapp:a")
        func pins() throws -> String { try draft.section("top")["pins"]?.text(.compact) ?? "" }
        let moved = [Self.item.replacing("SLOT", with: "0"), Self.card.replacing("SLOT", with: "1"), Self.unknown]
        #expect(try pins() == "[\(moved.joined(separator: ","))]")
        #expect(try draft.removePin("topapp:a", of: "top").slot == 0)
        #expect(try pins() == "[\(moved.dropFirst().joined(separator: ","))]")
        #expect { try draft.removePin("~eid", of: "top") } throws: { ($0 as? RemoteError)?.exitCode == .notFound }
    }

    @Test("A list of sections cuts a long title in a table, and not in CSV")
    func longTitles() throws {
        let title = String(repeating: "long ", count: 20) + "title"
        let section = try JSONDocument(parsing: Array(#"{"key":"top","title":{"en":"\#(title)"},"layout":{"list":{}}}"#.utf8)).root
        let list = ListPage(elements: [SectionRow(value: JSONValue(section), locale: nil)], columns: SectionRow.columns, name: \.key)
        func text(_ format: ListFormat) throws -> String { String(decoding: try list.text(as: format, width: nil), as: UTF8.self) }
        #expect(try !text(.wide).contains("title") && text(.wide).contains("long long …"))
        #expect(try text(.csv).contains("\r\ntop,\(title),list,"))
    }

    @Test("A list of pins names cards by their keys, with titles and targets")
    func rows() throws {
        let pins = try cardDraft().pins(of: "top")
        func text(_ format: ListFormat, _ locale: String?) throws -> String {
            let rows = pins.map { PinRow(section: "top", pin: $0, locale: locale) }
            let list = ListPage(elements: rows, columns: PinRow.columns, name: \.pin.name)
            return String(decoding: try list.text(as: format, width: nil), as: UTF8.self)
        }
        #expect(
            try text(.table, nil) == """
                SECTION  SLOT  PIN       TITLE  TARGET
                top      0     ~ramadan  Iftar  platforms ios
                top      1     topapp:a  Other  all clients

                """)
        #expect(try text(.table, "de").contains("~ramadan  Abends  platforms ios"))
        #expect(try text(.name, nil) == "~ramadan\ntopapp:a\n")
        #expect(
            try text(.jsonl, nil) == """
                {"section":"top","slot":0,"card":"ramadan","target":{"platforms":["ios"]}}
                {"section":"top","slot":1,"item":"topapp:a"}

                """)
    }
}

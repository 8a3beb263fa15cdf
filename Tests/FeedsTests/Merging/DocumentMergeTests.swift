import Feeds
import JSON
import TestSupport
import Testing

@Suite("The merge of two documents") struct DocumentMergeTests {
    private static let base = #"""
        {"format": 2, "feed":"today","title":{"en":"Today"},"sections":[
         {"key":"hero","cell":"card","size": 6,"pins":[{"slot":0,"item":"topapp:a"},{"slot":1,"item":"topapp:b"}]},
         {"key":"top","cell":"row","size": 30},{"key":"more","cell":"row","exclude":["topapp:a"]}]}
        """#

    private static func value(_ text: String) throws -> JSONValue { JSONValue(try JSONDocument(parsing: Array(text.utf8)).root) }

    private static func merge(_ mine: (inout String) -> Void, _ theirs: (inout String) -> Void) throws -> DocumentMerge {
        var (a, b) = (base, base)
        mine(&a)
        theirs(&b)
        return DocumentMerge(base: try value(base), mine: try value(a), theirs: try value(b))
    }

    @Test("Changes of different fields are merged")
    func apart() throws {
        let merge = try Self.merge {
            $0.replace(#""size": 30"#, with: #""size": 31"#)
            $0.replace(#"{"slot":1,"item":"topapp:b"}"#, with: #"{"slot":1,"item":"topapp:c"}"#)
        } _: {
            $0.replace(#""size": 6,"#, with: #""size": 6,"minItems":3,"#)
            $0.replace(#"{"slot":0,"item":"topapp:a"},"#, with: "")
            $0.replace(#""Today"}"#, with: #""Today","sv":"Idag"}"#)
        }
        #expect(merge.conflicts == [])
        #expect(
            try merge.merged
                == Self.value(
                    #"""
                    {"format": 2, "feed":"today","title":{"en":"Today","sv":"Idag"},"sections":[
                     {"key":"hero","cell":"card","size": 6,"pins":[{"slot":1,"item":"topapp:c"}],"minItems":3},
                     {"key":"top","cell":"row","size": 31},{"key":"more","cell":"row","exclude":["topapp:a"]}]}
                    """#))
    }

    @Test("Changes of the two bounds of a period are merged, and of the same bound are a conflict")
    func period() throws {
        let base = try Self.value(#"{"format": 2, "feed":"today","sections":[{"key":"hero","during":{"from":"2027-02-08T18:00"}}]}"#)
        func changed(_ during: String) throws -> JSONValue {
            try Self.value(#"{"format": 2, "feed":"today","sections":[{"key":"hero","during":\#(during)}]}"#)
        }
        let mine = try changed(#"{"from":"2027-02-08T17:00"}"#)
        let apart = DocumentMerge(
            base: base, mine: mine, theirs: try changed(#"{"from":"2027-02-08T18:00","until":"2027-03-09T02:00"}"#))
        #expect(apart.conflicts == [])
        #expect(try apart.merged == changed(#"{"from":"2027-02-08T17:00","until":"2027-03-09T02:00"}"#))
        let same = DocumentMerge(base: base, mine: mine, theirs: try changed(#"{"from":"2027-02-08T19:00"}"#))
        #expect(same.conflicts.count == 1 && same.merged == mine)
    }

    @Test("A conflict keeps the change of mine, and lists both changes")
    func conflicts() throws {
        let merge = try Self.merge {
            $0.replace(#"{"key":"hero","#, with: #"{"key":"new"},{"key":"hero","#)
            $0.replace(#""size": 30"#, with: #""size": 31"#)
            $0.replace(#"["topapp:a"]"#, with: #"["topapp:a","topapp:b"]"#)
        } _: {
            $0.replace(#","size": 30"#, with: "")
            $0.replace(#"["topapp:a"]"#, with: #"["topapp:c"]"#)
        }
        #expect(merge.conflicts.map(\.pointer.description) == ["/sections/2/size", "/sections/3/exclude"])
        let conflict = try #require(merge.conflicts.first)
        #expect(conflict.base == .integer(30) && conflict.mine == .integer(31) && conflict.theirs == nil)
        #expect(merge.merged["/sections/2/size"] == .integer(31))
    }

    @Test("A section that one side removes and the other changes is a conflict of the list")
    func removed() throws {
        let merge = try Self.merge {
            $0.replace(#"{"key":"top","cell":"row","size": 30},"#, with: "")
        } _: {
            $0.replace(#""size": 30"#, with: #""size": 31"#)
        }
        #expect(merge.conflicts.map(\.pointer.description) == ["/sections"] && merge.conflicts.first?.mine == nil)
        let same = try Self.merge {
            $0.replace(#"{"key":"top","cell":"row","size": 30},"#, with: "")
        } _: {
            $0.replace(#""size": 6"#, with: #""size": 7"#)
        }
        #expect(same.conflicts == [] && same.merged.sections == ["hero", "more"])
    }

    @Test(
        "Pins are merged by item, with one pin in each slot",
        arguments: [
            // One side removes the pin and the other moves it: a conflict of the list, which keeps it removed.
            ("0a 1b", "1b", "5a 1b", "1b", 1), ("0a 1b", "5a 1b", "1b", "1b 5a", 1),
            // Both sides move the pin to different slots.
            ("0a", "3a", "5a", "3a", 1), ("0a", "3a", "3a", "3a", 0),
            // Different pins get the same slot, or the slot of a pin that was moved there.
            ("", "0a", "0b", "0a", 1), ("1b", "1c", "1d", "1c", 1), ("2b", "0a 2b", "0b", "0a 2b", 1), ("2b", "0a 2b", "0b 2c", "0a 2b", 2),
            // The changes are independent.
            ("0a 1b", "0a 1b 2c", "0b 1a", "0b 1a 2c", 0), ("0a 1b", "0a", "0a 1b 3d", "0a 3d", 0),
        ])
    func pins(base: String, mine: String, theirs: String, merged: String, conflicts: Int) throws {
        func document(_ text: String) throws -> JSONValue {
            let pins = text.split(separator: " ").map { #"{"slot":\#($0.prefix(1)),"item":"topapp:\#($0.dropFirst())"}"# }
            return try Self.value(#"{"sections":[{"key":"hero","pins":[\#(pins.joined(separator: ","))]}]}"#)
        }
        let merge = DocumentMerge(base: try document(base), mine: try document(mine), theirs: try document(theirs))
        #expect(try merge.merged == document(merged))
        #expect(merge.conflicts.count == conflicts && merge.conflicts.allSatisfy { "\($0.pointer)".hasPrefix("/sections/0/pins") })
    }

    @Test("A pin of a card is merged by the key of the card, field by field")
    func cards() throws {
        func document(_ pins: String...) throws -> JSONValue {
            try Self.value(#"{"sections":[{"key":"hero","pins":[\#(pins.joined(separator: ","))]}]}"#)
        }
        func card(_ slot: Int, _ title: String, _ more: String = "") -> String {
            #"{"slot":\#(slot),"card":{"key":"ramadan","title":{"en":"\#(title)"}}\#(more)}"#
        }
        let (item, target) = (#"{"slot":1,"item":"topapp:a"}"#, #","target":{"platforms":["ios"]}"#)
        let merge = DocumentMerge(
            base: try document(card(0, "Iftar"), item), mine: try document(card(0, "Iftar near you"), item),
            theirs: try document(item, card(2, "Iftar", target)))
        #expect(merge.conflicts == [])
        #expect(try merge.merged == document(item, card(2, "Iftar near you", target)))
        let conflict = DocumentMerge(
            base: try document(card(0, "Iftar")), mine: try document(card(0, "Iftar near you")), theirs: try document(card(0, "Tonight")))
        #expect(conflict.conflicts.map(\.pointer.description) == ["/sections/0/pins/0/card/title/en"])
    }

    @Test(
        "Sections are moved and added by their keys",
        arguments: [
            (["a", "b", "c"], ["c", "a", "b"], ["a", "b", "x", "c"], ["c", "a", "b", "x"], 0),
            (["a", "b", "c"], ["a", "y", "b", "c"], ["c", "b", "a"], ["c", "b", "a", "y"], 0),
            (["a", "b", "c"], ["b", "a", "c"], ["b", "a", "c"], ["b", "a", "c"], 0),
            (["a", "b", "c"], ["b", "c"], ["c", "a", "b"], ["c", "b"], 0),
            (["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"], ["b", "a", "c"], 1),
            (["a"], ["x", "a"], ["y", "a"], ["x", "y", "a"], 0),
            ([], ["a", "b"], ["b", "c"], ["a", "b", "c"], 0),
        ])
    func order(base: [String], mine: [String], theirs: [String], merged: [String], conflicts: Int) throws {
        func document(_ keys: [String]) throws -> JSONValue {
            try Self.value(#"{"sections":[\#(keys.map { #"{"key":"\#($0)"}"# }.joined(separator: ","))]}"#)
        }
        let merge = DocumentMerge(base: try document(base), mine: try document(mine), theirs: try document(theirs))
        #expect(merge.merged.sections == merged && merge.conflicts.count == conflicts)
    }

    @Test("In random merges, an unchanged side yields the other one, and changes of different fields are all kept", arguments: 1...20)
    func chance(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let base = RandomSections(&numbers)
            var (mine, theirs, both) = (base, base, base)
            for key in base.keys {
                let change = Int.random(in: 1...9, using: &numbers)
                switch Int.random(in: 0..<6, using: &numbers) {
                case 0: (mine[key, "size"], both[key, "size"]) = (change, change)
                case 1: (theirs[key, "size"], both[key, "size"]) = (change, change)
                case 2:
                    (mine[key, "size"], both[key, "size"]) = (change, change)
                    (theirs[key, "minItems"], both[key, "minItems"]) = (change, change)
                case 3 where !base.isChanged(key, mine, theirs): (mine[key], both[key]) = (nil, nil)
                case 4 where !base.isChanged(key, mine, theirs): (theirs[key], both[key]) = (nil, nil)
                default: break
                }
            }
            let (b, m, t) = (base.value, mine.value, theirs.value)
            let merge = DocumentMerge(base: b, mine: m, theirs: t)
            #expect(merge.conflicts == [] && RandomSections(merge.merged).sections == both.sections, "seed \(seed)")
            #expect(DocumentMerge(base: b, mine: m, theirs: b).merged == m && DocumentMerge(base: b, mine: b, theirs: t).merged == t)
            #expect(DocumentMerge(base: b, mine: m, theirs: m).merged == m)
        }
    }
}

/// Sections with numbers, by the names of their fields.
private struct RandomSections {
    private(set) var keys: [String] = []
    private(set) var sections: [String: [String: Int]] = [:]

    init(_ numbers: inout SeededRandom) {
        keys = (0..<Int.random(in: 0...8, using: &numbers)).map { "s\($0)" }.shuffled(using: &numbers)
        for key in keys { sections[key] = ["size": 10 + Int.random(in: 0..<5, using: &numbers)] }
    }

    init(_ value: JSONValue) {
        guard case .object(let members) = value, case .array(let elements)? = members.first(where: { $0.key == "sections" })?.value else {
            return
        }
        for case .object(let members) in elements {
            var section: [String: Int] = [:]
            for member in members { if case .integer(let number) = member.value { section[member.key] = number } }
            guard case .string(let key)? = members.first(where: { $0.key == "key" })?.value else { continue }
            keys.append(key)
            sections[key] = section
        }
    }

    subscript(key: String) -> [String: Int]? {
        get { sections[key] }
        set { sections[key] = newValue }
    }

    subscript(key: String, member: String) -> Int? {
        get { sections[key]?[member] }
        set { sections[key]?[member] = newValue }
    }

    func isChanged(_ key: String, _ mine: RandomSections, _ theirs: RandomSections) -> Bool {
        mine.sections[key] != sections[key] || theirs.sections[key] != sections[key]
    }

    var value: JSONValue {
        let elements = keys.compactMap { key in
            sections[key].map { section in
                JSONValue.object(
                    [.init(key: "key", value: .string(key))]
                        + section.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .integer($0.value)) })
            }
        }
        return .object([.init(key: "sections", value: .array(elements))])
    }
}

extension JSONValue {
    fileprivate var sections: [String] { RandomSections(self).keys }

    fileprivate subscript(pointer: String) -> JSONValue? {
        var value: JSONValue? = self
        for token in JSONPointer(pointer)?.tokens ?? [] {
            switch value {
            case .array(let elements): value = Int(token).map { elements[$0] }
            case .object(let members): value = members.first { $0.key == token }?.value
            default: value = nil
            }
        }
        return value
    }
}

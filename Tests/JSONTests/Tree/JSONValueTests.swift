import JSON
import Testing

@Suite("JSONValue")
struct JSONValueTests {
    @Test("A written value is parsed as an equal value, in both styles", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        for _ in 0..<20 {
            let value = random.document()
            for style in [JSONWriter.Style.compact, .pretty] {
                #expect(try JSONValue(parsing: value.json(style), limits: .ownOutput) == value, "seed \(seed)")
            }
        }
    }

    @Test("The canonical form of a canonical form is the same text", arguments: 100..<140 as Range<UInt64>)
    func canonicalTwice(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        for _ in 0..<20 {
            let canonical = try random.document().canonicalJSON()
            #expect(try JSONDocument(parsing: canonical, limits: .ownOutput).root.canonical() == canonical, "seed \(seed)")
        }
    }

    @Test("A double is written and parsed without a change of any bit", arguments: 200..<210 as Range<UInt64>)
    func doubles(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        for _ in 0..<500 {
            let value = random.number()
            let text = try value.json()
            let read = try Double(parsing: text)
            #expect(read == value, "seed \(seed)")
            #expect(read == Double(String(decoding: text, as: UTF8.self)), "seed \(seed)")
        }
    }

    @Test("The fast path for decimals rounds as the standard library does", arguments: 300..<310 as Range<UInt64>)
    func decimals(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        for _ in 0..<500 {
            let whole = random.next() >> UInt64.random(in: 0..<64, using: &random)
            let fraction = random.next() >> UInt64.random(in: 0..<64, using: &random)
            let zeros = String(repeating: "0", count: Int.random(in: 0..<12, using: &random))
            let text = "-\(whole).\(zeros)\(fraction)"
            #expect(try Double(parsing: Array(text.utf8)) == Double(text), "seed \(seed): \(text)")
        }
    }

    @Test("Strings are equal by bytes, numbers by value, and objects by ordered members")
    func equality() {
        #expect(JSONValue.string("é") != .string("e\u{301}"))
        #expect(JSONValue.integer(1) == .number(1))
        #expect(JSONValue.integer(1) != .number(1.5))
        #expect(JSONValue.integer(1) != .string("1"))
        let a = JSONValue.Member(key: "a", value: .null)
        let b = JSONValue.Member(key: "b", value: .null)
        #expect(JSONValue.object([a, b]) != .object([b, a]))
    }
}

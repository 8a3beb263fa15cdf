import HTTPMessages
import TestSupport
import Testing

@Suite("Lists of entity tags")
struct EntityTagListTests {
    private func list(_ lines: [String], _ tag: EntityTag?, _ comparison: EntityTag.Comparison) -> EntityTagList {
        EntityTagList(.ifNoneMatch, of: HTTPFields("If-None-Match", lines), asks: tag, comparison)
    }

    @Test("A tag is written as in a header")
    func description() {
        #expect(EntityTag("a,b\\").description == "\"a,b\\\"")
        #expect(EntityTag("é", isWeak: true).description == "W/\"é\"")
        #expect(EntityTag("").description == "\"\"")
    }

    @Test(
        "A list is compared with a tag",
        arguments: [
            ([], .absent), ([#""a""#], .contains), ([#""b""#], .lacks), ([#""A""#], .lacks), ([#""aa""#], .lacks), ([#""""#], .lacks),
            ([#"W/"a""#], .contains), ([#""b", "a""#], .contains), ([#""b","a""#], .contains), ([#""b"  ,\#t "a""#], .contains),
            ([#""a,b", "c""#], .lacks), ([#"",a,""#], .lacks), ([#"",", "a""#], .contains), ([#",, "a" ,,"#], .contains),
            ([#" "a" "#], .contains),
            ([#""b""#, #""a""#], .contains), ([#""b""#, #""c""#], .lacks), ([#""\", "a""#], .contains), (["\"\u{E9}\", \"a\""], .contains),
            (["*"], .any), ([" * "], .any), ([",*,"], .any), ([""], .malformed), ([","], .malformed), (["", #""a""#], .contains),
            (["a"], .malformed), ([#""a"#], .malformed), ([#"a""#], .malformed), (["'a'"], .malformed), ([#""a" "b""#], .malformed),
            ([#""a""b""#], .malformed), ([#""a";"b""#], .malformed), ([#""a", b"#], .malformed), ([#""a", "b"#], .malformed),
            ([#"w/"a""#], .malformed), ([#"W/ "a""#], .malformed), (["W/a"], .malformed), (["W/"], .malformed), (["W"], .malformed),
            ([#"W"a""#], .malformed), ([#"W/W/"a""#], .malformed), ([#"W/*"#], .malformed), (["**"], .malformed), (["*, *"], .malformed),
            ([#"*, "a""#], .malformed), ([#""a", *"#], .malformed), (["*", #""a""#], .malformed), ([#""a""#, "b"], .malformed),
            ([#""a b", "a""#], .malformed), (["\"a\tb\", \"a\""], .malformed), (["\"\u{7F}\", \"a\""], .malformed),
        ] as [([String], EntityTagList)])
    func table(lines: [String], expected: EntityTagList) {
        #expect(list(lines, EntityTag("a"), .weak) == expected)
        #expect(list(lines, EntityTag("a", isWeak: true), .weak) == expected)
        let isContained = expected == .contains
        #expect(list(lines, EntityTag("a", isWeak: true), .strong) == (isContained ? .lacks : expected))
        #expect(list(lines, nil, .weak) == (isContained ? .lacks : expected))
        #expect(list(lines, EntityTag("z"), .weak) == (isContained ? .lacks : expected))
    }

    @Test("A strong comparison ignores weak tags of the list")
    func strong() {
        #expect(list([#"W/"a""#], EntityTag("a"), .strong) == .lacks)
        #expect(list([#"W/"a", "a""#], EntityTag("a"), .strong) == .contains)
    }

    @Test("A tag is found in random lists exactly if it is in one of them")
    func random() {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        func one<Value>(of choices: [Value]) -> Value { choices[Int.random(in: 0..<choices.count, using: &random)] }
        for _ in 0..<1_000 {
            let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    EntityTag(one(of: ["", "a", ",", "W/", "*", "a,b", "\\"]), isWeak: one(of: [true, false]))
                }
            }
            let requested = EntityTag(one(of: ["a", ",", "W/"]))
            let text = lines.map { $0.map(\.description).joined(separator: one(of: [",", ", ", " ,, \t"])) }
            let isAvailable = lines.contains { $0.contains(requested) }
            #expect(list(text, requested, .strong) == (isAvailable ? .contains : .lacks), "seed \(seed): \(text) \(requested)")
        }
    }
}

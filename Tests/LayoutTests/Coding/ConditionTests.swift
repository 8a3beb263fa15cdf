import JSON
import TestSupport
import Testing

@testable import Layout

@Suite("Conditions of variants")
struct ConditionTests {
    @Test("The text sizes are Apple's twelve, in order, and the default is large")
    func textSizes() {
        let names = """
            xSmall small medium large xLarge xxLarge xxxLarge accessibilityMedium accessibilityLarge accessibilityExtraLarge \
            accessibilityExtraExtraLarge accessibilityExtraExtraExtraLarge
            """
        #expect(TextSize.allCases.map(\.rawValue) == names.split(separator: " ").map(String.init))
        #expect(TextSize.allCases == TextSize.allCases.sorted())
        #expect(LayoutEnvironment(width: 1, height: 1).textSize == .large)
    }

    /// Whether a condition holds, read from its JSON.
    private func holds(_ condition: JSONValue, _ environment: LayoutEnvironment) -> Bool {
        let order = TextSize.allCases.map(\.rawValue)
        let size = order.firstIndex(of: environment.textSize.rawValue) ?? -1
        return condition.members.allSatisfy { member in
            switch (member.key, member.value) {
            case ("horizontalSizeClass", .string(let text)): text == environment.horizontalSizeClass.rawValue
            case ("verticalSizeClass", .string(let text)): text == environment.verticalSizeClass.rawValue
            case ("minWidth", let value): environment.width.value >= value.number ?? .nan
            case ("maxWidth", let value): environment.width.value <= value.number ?? .nan
            case ("minHeight", let value): environment.height.value >= value.number ?? .nan
            case ("maxHeight", let value): environment.height.value <= value.number ?? .nan
            case ("minTextSize", .string(let text)): size >= order.firstIndex(of: text) ?? 99
            case ("maxTextSize", .string(let text)): size <= order.firstIndex(of: text) ?? -99
            default: false
            }
        }
    }

    @Test(
        "The joined condition of two holds exactly if both hold, and does not exist if they exclude each other",
        arguments: 0..<20 as Range<UInt64>)
    func joined(batch: UInt64) throws {
        var random = SeededRandom(seed: batch)
        func some<Value>(_ values: [Value]) -> Value? { Bool.random(using: &random) ? values.randomElement(using: &random) : nil }
        let (lengths, classes) = ([300, 500, 700, 900] as [Magnitude], [LayoutEnvironment.SizeClass.compact, .regular])
        func condition() -> Condition {
            while true {
                let condition = Condition(
                    horizontalSizeClass: some(classes), verticalSizeClass: some(classes), minWidth: some(lengths), maxWidth: some(lengths),
                    minHeight: some(lengths), maxHeight: some(lengths), minTextSize: some(TextSize.allCases),
                    maxTextSize: some(TextSize.allCases))
                // A condition that never holds is rejected when it is read.
                if condition != Condition(), let text = try? condition.json(), (try? Condition(parsing: text)) == condition {
                    return condition
                }
            }
        }
        var (outcomes, exclusive) = (Set<Bool>(), 0)
        for _ in 0..<100 {
            let (a, b) = (condition(), condition())
            let joined = a.joined(with: b)
            if joined == nil { exclusive += 1 }
            #expect(joined == b.joined(with: a), "batch \(batch)")
            for (index, textSize) in TextSize.allCases.enumerated() {
                for width in lengths {
                    for sizeClass in classes {
                        let screen = LayoutEnvironment(
                            width: width, height: lengths[index % 4], horizontalSizeClass: sizeClass,
                            verticalSizeClass: classes[(index / 4) % 2], textSize: textSize)
                        let both = a.holds(in: screen) && b.holds(in: screen)
                        #expect(joined?.holds(in: screen) ?? false == both, "batch \(batch)")
                        outcomes.insert(both)
                    }
                }
            }
            if let joined { #expect(try Condition(parsing: joined.json()) == joined, "batch \(batch)") }
        }
        #expect(outcomes == [true, false] && exclusive > 0 && exclusive < 100)
    }

    @Test("A condition holds if and only if all of its parts hold", arguments: 0..<20 as Range<UInt64>)
    func everyPart(batch: UInt64) throws {
        var random = SeededRandom(seed: batch)
        var outcomes: Set<Bool> = []
        for _ in 0..<200 {
            func some<Value>(_ value: Value) -> Value? { Int.random(in: 0..<3, using: &random) == 0 ? value : nil }
            func length() -> Magnitude { Magnitude(Double(Int.random(in: 3...9, using: &random) * 100)) ?? 0 }
            func size() throws -> TextSize { try #require(TextSize.allCases.randomElement(using: &random)) }
            func sizeClass() -> LayoutEnvironment.SizeClass { Bool.random(using: &random) ? .compact : .regular }
            let widths = [length(), length()].sorted { $0.value < $1.value }
            let heights = [length(), length()].sorted { $0.value < $1.value }
            let sizes = try [size(), size()].sorted()
            let condition = Condition(
                horizontalSizeClass: some(sizeClass()), verticalSizeClass: some(sizeClass()), minWidth: some(widths[0]),
                maxWidth: some(widths[1]), minHeight: some(heights[0]), maxHeight: some(heights[1]), minTextSize: some(sizes[0]),
                maxTextSize: some(sizes[1]))
            let environment = LayoutEnvironment(
                width: length(), height: length(), horizontalSizeClass: sizeClass(), verticalSizeClass: sizeClass(), textSize: try size())
            let written = try condition.json()
            #expect(condition.holds(in: environment) == holds(try JSONValue(parsing: written), environment))
            outcomes.insert(condition.holds(in: environment))
            if condition != Condition() { #expect(try Condition(parsing: written) == condition) }
        }
        #expect(outcomes == [true, false])
    }

    @Test(
        "A lenient reading drops a variant whose condition it does not know completely",
        arguments: [
            #"{"mood": "calm"}"#, #"{"minWidth": 1, "mood": "calm"}"#, #"{"minTextSize": "gigantic"}"#,
            #"{"minWidth": 1, "maxTextSize": null}"#, #"{"minWidth": 1, "verticalSizeClass": "huge"}"#, "{}", "7",
        ])
    func unknownParts(condition: String) throws {
        let id = String(repeating: "a", count: 32)
        let other = String(repeating: "b", count: 32)
        func section(_ condition: String) -> String {
            #"{"id": "s", "layout": "\#(id)", "variants": [{"when": \#(condition), "layout": "\#(other)"}]}"#
        }
        let (page, _) = LayoutPage.read(
            Array(#"{"sections": [\#(section(condition)), \#(section(#"{"minWidth": 1}"#))]}"#.utf8))
        let screen = LayoutEnvironment(width: 390, height: 844)
        #expect(page.sections.map { $0.arrangement?.layout(in: screen).text } == [id, other])
    }

    @Test("A condition of version 1.0 is a condition with one part")
    func firstVersion() throws {
        for text in [#"{"horizontalSizeClass":"regular"}"#, #"{"minWidth":700}"#, #"{"maxWidth":320}"#] {
            let condition = try Condition(parsing: Array(text.utf8))
            #expect(String(decoding: try condition.canonicalJSON(), as: UTF8.self) == text)
        }
    }
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}

import TestSupport
import Testing
import Values

@testable import Feeds

@Suite("The slots of a section")
struct FilledSlotsTests {
    private func ids(_ names: String) -> [UUID] { names.unicodeScalars.map { UUID(high: 0, low: UInt64($0.value)) } }

    private func filled(_ pins: [Int: String], _ candidates: String, without excluded: String = "", limit: Int) -> String {
        let pinned = pins.mapValues { ids($0)[0] }
        let filling = FilledSlots(pins: pinned, candidates: ids(candidates), excluded: Set(ids(excluded)), limit: limit)
        return String(String.UnicodeScalarView(filling.items.compactMap { Unicode.Scalar(UInt32($0.low)) }))
    }

    @Test("Pins keep their slots, other items fill the gaps, and each item appears once")
    func pins() {
        #expect(filled([:], "abc", limit: 2) == "ab")
        #expect(filled([0: "x", 2: "y"], "abc", limit: 5) == "xaybc")
        #expect(filled([0: "b", 2: "y"], "abcb", limit: 5) == "bayc")
        #expect(filled([1: "x"], "abc", without: "ac", limit: 5) == "bx")
    }

    @Test("A pin after a gap moves up, and a pin above the limit is left out")
    func gaps() {
        #expect(filled([3: "x", 7: "y"], "a", limit: 10) == "axy")
        #expect(filled([0: "x", 7: "y"], "abc", limit: 3) == "xab")
        #expect(filled([:], "", limit: 3) == "")
    }

    @Test("Each slot has the reason for its item")
    func reasons() {
        let filling = FilledSlots(pins: [1: ids("b")[0]], candidates: ids("abc"), limit: 3)
        #expect(filling.slots.map(\.reason) == [.rule(index: 0), .pin, .rule(index: 2)])
    }
}

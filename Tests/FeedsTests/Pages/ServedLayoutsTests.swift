import JSON
import Layout
import Testing

@testable import Feeds

@Suite("The layouts of pages with their texts") struct ServedLayoutsTests {
    @Test("A layout has the text of its encoding, whether it was there first or came later")
    func texts() throws {
        let first = try #require(LayoutID(String(repeating: "1", count: 32)))
        let second = try #require(LayoutID(String(repeating: "2", count: 32)))
        let future = PublishedLayout.unknown(family: nil, fallback: second)
        let known = PublishedLayout.known(try #require(Preset.named("photo-grid-3")).expanded().layout)
        var layouts = ServedLayouts(LayoutTable([first: future]))
        #expect(layouts[second] == nil)
        layouts.merge(LayoutTable([second: known]))
        #expect(try layouts[first]?.text == future.json() && layouts[first]?.fallback == second)
        #expect(try layouts[second]?.text == known.json() && layouts[second]?.fallback == nil)
        #expect(layouts.table == LayoutTable([first: future, second: known]))
    }
}

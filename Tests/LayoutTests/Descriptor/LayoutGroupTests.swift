import Testing

@testable import Layout

@Suite("Groups")
struct LayoutGroupTests {
    private let whole = LayoutSize(width: .fractionalWidth(.whole), height: .fractionalHeight(.whole))

    @Test("Groups nest up to eight levels")
    func depth() throws {
        var item = LayoutItem(size: whole)
        for depth in 1...8 {
            item = LayoutItem(.group(try LayoutGroup(.horizontal, subitems: [item])), size: whole)
            #expect(item.depth == depth)
        }
        #expect(throws: LayoutError(.tooDeep)) { try LayoutGroup(.vertical, subitems: [item]) }
    }

    @Test("A group has 1 to 32 listed children, or one that is repeated")
    func subitems() {
        #expect(throws: LayoutError(.emptyGroup)) { try LayoutGroup(.vertical, subitems: []) }
        #expect(throws: LayoutError(.emptyGroup)) { try CustomGroup(frames: []) }
        #expect(throws: LayoutError(.tooManySubitems)) {
            try LayoutGroup(.vertical, subitems: Array(repeating: LayoutItem(size: whole), count: 33))
        }
        for fill in [Fill.equal(2), .times(2)] {
            #expect(throws: LayoutError(.oneSubitem)) {
                try LayoutGroup(.vertical, subitems: [LayoutItem(size: whole), LayoutItem(size: whole)], fill: fill)
            }
        }
        #expect(throws: LayoutError(.tooManySlots)) {
            try CustomGroup(frames: Array(repeating: .init(x: 0, y: 0, width: 1, height: 1), count: 513))
        }
    }
}

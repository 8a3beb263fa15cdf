import Layout
import Testing

@Suite("The layout and the cells of a section on a screen")
struct ArrangementTests {
    private static let phone = LayoutEnvironment(width: 390, height: 844)
    private static let tablet = LayoutEnvironment(width: 1_024, height: 1_366, horizontalSizeClass: .regular)

    private static func id(_ letter: Character) throws -> LayoutID { try #require(LayoutID(String(repeating: letter, count: 32))) }

    private func arrangement() throws -> Arrangement {
        Arrangement(
            layout: try Self.id("a"),
            variants: [
                .init(when: Condition(minWidth: 700), try Self.id("b"), CellStyles(cell: "wide")),
                .init(when: Condition(horizontalSizeClass: .regular), try Self.id("c"), CellStyles(cell: "regular")),
            ],
            alternates: [.init("grid", try Self.id("a")), .init("column", try Self.id("d"), CellStyles(cell: "foodRow"))], active: "grid")
    }

    @Test(
        "The cells are those of the layout: of the chosen alternate, or else of the first variant whose condition holds",
        arguments: [
            (phone, nil, "a", nil), (tablet, nil, "b", "wide"), (phone, "grid", "a", nil), (tablet, "grid", "b", "wide"),
            (phone, "column", "d", "foodRow"), (tablet, "column", "d", "foodRow"), (phone, "other", "a", nil),
        ] as [(LayoutEnvironment, Name?, Character, String?)])
    func choice(screen: LayoutEnvironment, chosen: Name?, layout: Character, cell: String?) throws {
        let (arrangement, id) = (try arrangement(), try Self.id(layout))
        #expect(arrangement.layout(in: screen, chosen: chosen) == id)
        #expect(arrangement.cells(in: screen, chosen: chosen)?.cell == cell)
    }

    @Test("A missing member of the cells of a layout is the section's")
    func merged() throws {
        let section = try #require(CellStyles(cell: "row", slots: ["large": "tileLarge"]))
        #expect(CellStyles.merged(nil, over: section) == section)
        let cell = CellStyles.merged(CellStyles(cell: "tile"), over: section)
        #expect(cell["large"] == "tileLarge" && cell["small"] == "tile" && cell[nil] == "tile")
        let slots = CellStyles.merged(CellStyles(slots: ["small": "tile"]), over: section)
        #expect(slots["small"] == "tile" && slots["large"] == "row")
    }
}

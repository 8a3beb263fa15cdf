import Arguments
import JSON
import Testing

@testable import CLI

@Suite("The options of a section")
struct SectionOptionsTests {
    private struct NoInvocation: Error {}

    private func value(_ text: String) throws -> JSONValue { JSONValue(try JSONDocument(parsing: text).root) }

    /// Returns a section after a command with these arguments.
    private func section(_ arguments: String..., adds: Bool = false, from text: String = "{}") throws -> JSONValue {
        let options = adds ? SectionOptions.additions : SectionOptions.options
        let command = Command("set", "Change a section", options: options) { _ in .ok }
        guard case .run(_, let invocation) = command.outcome(of: arguments) else { throw NoInvocation() }
        var section = try value(text)
        try SectionOptions(invocation, adds: adds).apply(to: &section)
        return section
    }

    @Test("A section can have a style for all cells and styles for named slots", arguments: [true, false])
    func cells(adds: Bool) throws {
        let both = try value(#"{"cell": "tile", "cells": {"large": "tileLarge", "small": "row"}}"#)
        #expect(try section("--cell", "large=tileLarge", "--cell", "tile", "--cell", "small=row", adds: adds) == both)
        #expect(try section("--cell", "tile", adds: adds) == value(#"{"cell": "tile"}"#))
        #expect(try section("--cell", "large=tile", adds: adds) == value(#"{"cells": {"large": "tile"}}"#))
        #expect(throws: UsageError.self) { try section("--cell", "tile", "--cell", "row", adds: adds) }
    }

    @Test("A style for all cells replaces only that, and a new layout replaces all styles")
    func changes() throws {
        let before = #"{"layout": {"grid": {}}, "cell": "tile", "cells": {"large": "tileLarge"}}"#
        let all = try section("--cell", "row", from: before)
        #expect(try all["cell"] == .string("row") && all["cells"] == value(#"{"large": "tileLarge"}"#))
        let named = try section("--cell", "small=row", from: before)
        #expect(try named["cell"] == .string("tile") && named["cells"] == value(#"{"small": "row"}"#))
        let list = try section("--layout", "list", "--cell", "row", from: before)
        #expect(list["cell"] == .string("row") && list["cells"] == nil)
    }
}

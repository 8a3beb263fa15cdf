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
        try SectionOptions(invocation, Console(program: "vitrine", environment: [:]), adds: adds).apply(to: &section)
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

    @Test("A sort has the words of the document, also after a space, and words without a hyphen are refused")
    func sorts() throws {
        for text in ["-rating", "-releaseDate", "title"] {
            let expected = JSONValue.object([.init(key: "sort", value: .string(text))])
            #expect(try section("--sort", text) == expected)
            #expect(try section("--sort=\(text)") == expected)
        }
        #expect(try section("--sort", "chart:top-free") == value(#"{"sort": {"chart": "top-free"}}"#))
        let command = Command("set", "Change a section", options: SectionOptions.options) { _ in .ok }
        for (text, hint) in [("rating", "-rating"), ("releasedate", "-releaseDate"), ("-titel", "title")] {
            guard case .usage(let error) = command.outcome(of: ["--sort=\(text)"]) else {
                Issue.record("'\(text)' is a sort")
                continue
            }
            #expect(error.text.contains("hint: did you mean '\(hint)'?\n"), "\(error.text)")
        }
        guard case .usage(let error) = command.outcome(of: ["--sort", "--size"]) else { throw NoInvocation() }
        #expect(error.text.contains("missing value for '--sort'"), "\(error.text)")
    }

    @Test("Completion offers the words of the document for a sort")
    func sortCompletion() async {
        let command = Command("set", "Change a section", options: SectionOptions.options) { _ in .ok }
        let all = await command.completions(for: ["--sort", ""])
        #expect(all.candidates.map(\.word) == ["-rating", "-releaseDate", "title", "chart:"])
        let dashed = await command.completions(for: ["--sort", "-re"])
        #expect(dashed.candidates.map(\.word) == ["-releaseDate"])
    }

    @Test("The bounds of the period are instants, or with --local wall clocks, and each keeps the other one", arguments: [true, false])
    func period(adds: Bool) throws {
        func period(_ arguments: String..., from text: String = "{}") throws -> JSONValue? {
            let options = adds ? SectionOptions.additions : SectionOptions.options
            let command = Command("set", "Change a section", options: options) { _ in .ok }
            guard case .run(_, let invocation) = command.outcome(of: arguments) else { throw NoInvocation() }
            var section = try value(text)
            try SectionOptions(invocation, Console(program: "vitrine", environment: [:]), adds: adds).apply(to: &section)
            return section["during"]
        }
        let local = try period("--from", "2131-02-08 18:00", "--until", "2131-03-09 02:00", "--local")
        #expect(try local == value(#"{"from": "2131-02-08T18:00", "until": "2131-03-09T02:00"}"#))
        #expect(try period("--from", "2131-02-08 18:00") == value(#"{"from": "2131-02-08T18:00:00Z"}"#))
        #expect(try period("--until", "2131-02-08T18:00:00+03:00", "--local") == value(#"{"until": "2131-02-08T15:00:00Z"}"#))
        let before = #"{"during": {"from": "2131-01-01T00:00", "until": "2131-02-01T00:00"}}"#
        #expect(
            try period("--until", "2131-03-01", "--local", from: before)
                == value(#"{"from": "2131-01-01T00:00", "until": "2131-03-01T00:00"}"#))
        #expect(try period("--unset", "during", from: before) == nil)
        for wrong in [
            ["--local"], ["--tz", "UTC"], ["--from", "2131-02-08 18:00", "--local", "--tz", "UTC"],
            ["--from", "2131-02-08 18:00:30", "--local"], ["--until", "tomorrow"],
        ] {
            #expect(throws: UsageError.self, "\(wrong)") {
                let command = Command("set", "Change a section", options: SectionOptions.options) { _ in .ok }
                guard case .run(_, let invocation) = command.outcome(of: wrong) else { throw NoInvocation() }
                _ = try SectionOptions(invocation, Console(program: "vitrine", environment: [:]), adds: adds)
            }
        }
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

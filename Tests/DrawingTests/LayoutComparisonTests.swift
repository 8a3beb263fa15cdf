import Feeds
import JSON
import Layout
import ScreenFiles
import TestSupport
import Testing

@testable import Drawing

@Suite("The comparison of two layouts")
struct LayoutComparisonTests {
    private func layout(_ text: String) throws -> LayoutDescriptor { try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0).layout }

    private func comparison(_ before: String, _ after: String, width: Int) throws -> LayoutComparison? {
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        func side(_ text: String, _ count: Int) throws -> String {
            #"{"layout": \#(String(decoding: try layout(text).json(), as: UTF8.self)), "itemCount": \#(count)}"#
        }
        let text = #"{"section": "Talked about", "before": \#(try side(before, 12)), "after": \#(try side(after, 3))}"#
        let change = try #require(try JSONDocument(parsing: text).root.decodeLeniently(PublicationPlan.ChangedLayout.self))
        return LayoutComparison(change, in: screen.environment, width: width)
    }

    @Test("Both layouts are drawn small, each below its description", arguments: [40, 80, 200])
    func drawn(width: Int) throws {
        let comparison = try #require(try comparison(#"{"carousel": {"rows": 3}}"#, #"{"grid": {"columns": 3}}"#, width: width))
        #expect(comparison.lines.allSatisfy { $0.count <= width })
        let text = comparison.lines.joined(separator: "\n") + "\n"
        #expect(try Golden("layouts-\(width).txt").text(recording: text) == text)
    }

    @Test("A terminal that is too narrow gets no drawing")
    func narrow() throws { #expect(try comparison(#"{"list": {}}"#, #"{"grid": {}}"#, width: 20) == nil) }

    @Test("The description of a layout is short")
    func words() throws {
        #expect(try layout(#"{"carousel": {"rows": 3}}"#).reported == "carousel of 3 rows, groupPaging")
        #expect(try layout(#"{"grid": {"columns": 4}}"#).reported == "grid of 4 columns")
        #expect(try layout(#"{"list": {}}"#).reported == "list")
    }
}

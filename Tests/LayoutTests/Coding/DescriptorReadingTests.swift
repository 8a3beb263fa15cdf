import JSON
import Layout
import Testing

@Suite("Decoding a layout")
struct DescriptorReadingTests {
    /// Returns the pointer and code of each issue, in document order.
    private func issues(in text: String) -> [String] {
        do {
            _ = try JSONDocument(parsing: text).decode(LayoutSection.self)
            return []
        } catch {
            return error.issues.map { "\($0.pointer) \($0.code.rawValue)" }
        }
    }

    private func section(_ group: String, _ rest: String = "") -> String { #"{"group": \#(group)\#(rest)}"# }

    private static let size = #""size": {"width": {"fractionalWidth": 1}, "height": {"absolute": 50}}"#
    private static let item = #"{"kind": "item", \#(size)}"#

    @Test("All issues are reported in one pass, each with its pointer")
    func allAtOnce() {
        let text = #"""
            {
              "group": {
                "kind": "horizontal",
                "size": {"width": {"fractionalWith": 1}, "height": {"absolute": -5}},
                "subitems": [
                  {"kind": "itm", "size": {"width": {"fractionalWidth": [1, 0]}, "height": 7}},
                  {"kind": "vertical", "size": {"width": {"absolute": 1, "estimated": 2}, "height": {"absolute": 1}}, "subitems": []}
                ],
                "contentInsets": {"top": 0.5, "leading": -1, "let": 3}
              },
              "interGroupSpacing": "ten",
              "orthogonalScrollingBehavior": "grouppaging",
              "color": "red"
            }
            """#
        #expect(
            issues(in: text) == [
                "/group/size/width MISSING_KEY", "/group/size/width/fractionalWith UNKNOWN_KEY", "/group/size/height/absolute OUT_OF_RANGE",
                "/group/subitems/0/kind INVALID_CHOICE", "/group/subitems/0/size/width/fractionalWidth OUT_OF_RANGE",
                "/group/subitems/0/size/height INVALID_TYPE", "/group/subitems/1/size/width INVALID_CHOICE",
                "/group/subitems/1/subitems EMPTY_GROUP", "/group/contentInsets/top INSET_RANGE",
                "/group/contentInsets/leading INSET_RANGE", "/group/contentInsets/let UNKNOWN_KEY", "/interGroupSpacing INVALID_TYPE",
                "/orthogonalScrollingBehavior INVALID_CHOICE", "/color UNKNOWN_KEY",
            ])
    }

    @Test("A misspelled key or keyword gets a suggestion")
    func hints() throws {
        let text = section(#"{"kind": "horizontl", "size": {"width": {"fractionalWidht": 1}}, "subitems": []}"#)
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text).decode(LayoutSection.self) }
        let hints = error.issues.compactMap(\.hint)
        #expect(hints.contains(#"did you mean "horizontal"?"#))
        #expect(hints.contains(#"did you mean "fractionalWidth"?"#))
    }

    @Test(
        "A key of another kind of item is unknown",
        arguments: [
            (#"{"kind": "item", \#(size)}"#, "/group INVALID_CHOICE"),
            (#"{"kind": "horizontal", \#(size), "subitems": [\#(item)], "slot": "a"}"#, "/group/slot UNKNOWN_KEY"),
            (#"{"kind": "custom", \#(size), "frames": [], "fill": "repeat"}"#, "/group/frames EMPTY_GROUP|/group/fill UNKNOWN_KEY"),
            (#"{"kind": "vertical", \#(size), "subitems": [\#(item)], "fill": {"equal": 0}}"#, "/group/fill/equal OUT_OF_RANGE"),
            (#"{"kind": "vertical", \#(size), "subitems": [\#(item)], "fill": "repat"}"#, "/group/fill INVALID_CHOICE"),
            (#"{"kind": "vertical", \#(size)}"#, "/group MISSING_KEY"),
        ])
    func kinds(group: String, expected: String) {
        #expect(issues(in: section(group)) == expected.split(separator: "|").map(String.init))
    }

    @Test("A section has either a group or a list")
    func content() {
        #expect(issues(in: "{}") == [" MISSING_KEY"])
        let group = #"{"kind": "vertical", \#(Self.size), "subitems": [\#(Self.item)]}"#
        #expect(issues(in: #"{"group": \#(group), "list": {}}"#) == [" INVALID_CHOICE"])
        #expect(issues(in: #"{"list": {"appearance": "planе"}}"#) == ["/list/appearance INVALID_CHOICE"])
    }

    @Test("Groups nest up to eight levels, and the ninth is rejected at its pointer")
    func depth() {
        func nested(_ depth: Int) -> String {
            (0..<depth).reduce(Self.item) { inner, _ in #"{"kind": "vertical", \#(Self.size), "subitems": [\#(inner)]}"# }
        }
        #expect(issues(in: section(nested(8))) == [])
        let ninth = "/group" + String(repeating: "/subitems/0", count: 8)
        #expect(issues(in: section(nested(9))) == ["\(ninth) TOO_DEEP"])
        #expect(issues(in: section(nested(200))).last?.hasSuffix("TOO_DEEP") == true)
    }

    @Test("More than 32 listed children are rejected")
    func subitems() {
        let children = Array(repeating: Self.item, count: 33).joined(separator: ",")
        let group = #"{"kind": "vertical", \#(Self.size), "subitems": [\#(children)]}"#
        #expect(issues(in: section(group)) == ["/group/subitems TOO_MANY_SUBITEMS"])
    }

    @Test("A fill that repeats its child allows only one listed child", arguments: ["equal", "times"])
    func copiesOfSeveral(fill: String) {
        func group(_ children: Int) -> String {
            let list = Array(repeating: Self.item, count: children).joined(separator: ",")
            return #"{"kind": "vertical", \#(Self.size), "subitems": [\#(list)], "fill": {"\#(fill)": 4}}"#
        }
        let nested = #"{"kind": "vertical", \#(Self.size), "subitems": [\#(Self.item), \#(group(2))]}"#
        #expect(issues(in: section(group(1))) == [])
        #expect(issues(in: section(group(2))) == ["/group/subitems ONE_SUBITEM"])
        #expect(issues(in: section(nested)) == ["/group/subitems/1/subitems ONE_SUBITEM"])
    }

    @Test(
        "Supplementary items of items are validated",
        arguments: [
            (#""every": 0"#, "/every OUT_OF_RANGE"), (#""every": 5, "phase": 5"#, "/phase OUT_OF_RANGE"),
            (#""containerAnchor": {"absoluteOffset": {}, "fractionalOffset": {}}"#, "/containerAnchor/fractionalOffset INVALID_CHOICE"),
            (#""containerAnchor": {"edges": ["bottm"]}"#, "/containerAnchor/edges/0 INVALID_CHOICE"),
            (#""when": "old""#, "/when INVALID_CHOICE"),
            (#""zIndex": 1.5"#, "/zIndex INVALID_TYPE"),
        ])
    func supplementaries(member: String, expected: String) {
        let badge = #"{"elementKind": "badge", \#(Self.size), \#(member)}"#
        let group = #"{"kind": "vertical", \#(Self.size), "subitems": [\#(Self.item)], "supplementaryItems": [\#(badge)]}"#
        #expect(issues(in: section(group)) == ["/group/supplementaryItems/0\(expected)"])
    }
}

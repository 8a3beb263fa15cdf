import JSON
import Layout
import Testing

@Suite("The issues of an invalid layout")
struct EveryIssueTests {
    private static let size = #""size": {"width": {"absolute": 9}, "height": {"absolute": 9}}"#
    private static let faulty = #"{"kind": "item", "size": {"width": {"absolute": -1}, "height": {"absolute": 9}}}"#

    private func issues(in group: String) throws -> [String] {
        let error = try #require(throws: JSONError.self) { try LayoutChoice(parsing: Array(#"{"group": \#(group)}"#.utf8)) }
        return error.issues.map { "\($0.code.rawValue) \($0.pointer)" }
    }

    @Test("An unknown or absent kind does not hide issues of the children", arguments: [#""kind": "diagonal", "#, ""])
    func unknownKind(kind: String) throws {
        let group = try issues(in: #"{\#(kind)\#(Self.size), "subitems": [\#(Self.faulty)], "fill": 3}"#)
        #expect(group.contains("OUT_OF_RANGE /group/subitems/0/size/width/absolute"), "\(group)")
        #expect(group.contains("INVALID_TYPE /group/fill"), "\(group)")
        #expect(group.count == 3, "\(group)")
        let custom = try issues(in: #"{\#(kind)\#(Self.size), "frames": [{"width": -1, "height": 1}]}"#)
        #expect(custom.contains("OUT_OF_RANGE /group/frames/0/width"), "\(custom)")
        #expect(custom.count == 2, "\(custom)")
    }

    @Test("A list that is too long is reported together with the issues of its elements")
    func tooLong() throws {
        let children = Array(repeating: Self.faulty, count: 33).joined(separator: ",")
        let group = try issues(in: #"{"kind": "vertical", \#(Self.size), "subitems": [\#(children)]}"#)
        #expect(group.contains("TOO_MANY_SUBITEMS /group/subitems"))
        #expect(group.count == 34)
        let frames = Array(repeating: #"{"width": 1, "height": 1}"#, count: 600).joined(separator: ",")
        let custom = try issues(in: #"{"kind": "custom", \#(Self.size), "frames": [{"width": -1, "height": 1}, \#(frames)]}"#)
        #expect(custom == ["TOO_MANY_SLOTS /group/frames", "OUT_OF_RANGE /group/frames/0/width"])
    }

    @Test("Groups that are nested too deeply are reported as one issue")
    func tooDeep() throws {
        let cell = #"{"kind": "item", \#(Self.size)}"#
        let group = (0..<9).reduce(cell) { inner, _ in
            #"{"kind": "vertical", \#(Self.size), "fill": "repeat", "subitems": [\#(inner)]}"#
        }
        #expect(try issues(in: group).map { $0.prefix(8) } == ["TOO_DEEP"])
    }
}

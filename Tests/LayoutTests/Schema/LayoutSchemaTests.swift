import Foundation
import JSON
import Layout
import TestSupport
import Testing

@Suite("The JSON Schema of layouts")
struct LayoutSchemaTests {
    private let validator = SchemaValidator(LayoutSchema.document)

    @Test("The schema in the documentation matches the generated one; RECORD_GOLDENS=1 records it")
    func file() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/layout.schema.json").standardizedFileURL
        let text = String(decoding: try LayoutSchema.document.json(.pretty), as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("Every preset is valid, by name and expanded", arguments: Preset.all)
    func presets(preset: Preset) throws {
        #expect(try validator.accepts(.object([.init(key: "preset", value: .string(preset.name))])))
        #expect(try validator.accepts(JSONValue(parsing: preset.expanded().json())))
    }

    @Test("Every example is valid", arguments: try GoldenCase.names())
    func examples(name: String) throws {
        for layout in try GoldenCase(name).layouts { #expect(try validator.accepts(JSONValue(parsing: layout))) }
    }

    @Test("Every random layout that can be decoded is valid")
    func randomLayouts() throws {
        for seed in 1000..<1150 as Range<UInt64> {
            var random = RandomLayouts(seed: seed)
            let written = try random.section().json()
            #expect(try validator.accepts(JSONValue(parsing: written)), "seed \(seed)")
        }
    }

    @Test(
        "Short forms are valid",
        arguments: [
            #"{"grid": {"columns": 3, "regularColumns": 6, "aspect": [1, 1], "spacing": 10}}"#, #"{"list": {}}"#,
            #"{"carousel": {"rows": 3, "width": 0.93, "paging": "groupPaging"}}"#, #"{"nestedGroup": "feature-pair"}"#,
            #"{"compositional": {"list": {}}, "variants": [{"when": {"minWidth": 700}, "layout": {"grid": {}}}]}"#,
            #"{"grid": {}, "alternates": {"grid": "active", "column": {"layout": {"list": {"rowHeight": {"absolute": 120}}}, "cell": "row"}}}"#,
        ])
    func shortForms(text: String) throws {
        #expect(throws: Never.self) { try LayoutChoice(parsing: Array(text.utf8)) }
        #expect(try validator.accepts(JSONValue(parsing: Array(text.utf8))))
    }

    @Test("The schema and the decoder reject every invalid layout", arguments: BrokenLayout.all.indices)
    func broken(index: Int) throws {
        let layout = BrokenLayout.all[index]
        let error = try #require(throws: JSONError.self) { try LayoutChoice(parsing: Array(layout.text.utf8)) }
        #expect(error.issues.contains { $0.code.rawValue == layout.code }, "\(layout.text): \(error)")
        #expect(try !validator.accepts(JSONValue(parsing: Array(layout.text.utf8))), "\(layout.text)")
    }
}

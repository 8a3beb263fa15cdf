import Foundation
import Testing

@Suite("The script fuzz")
struct FuzzScriptTests {
    @Test("A check reports a target whose folder uses a type from outside of it, and passes after the type moves there")
    func check() throws {
        let scratch = try Scratch()
        let script = scratch.directory.appending(path: "scripts/fuzz")
        try FileManager.default.createDirectory(at: script.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Repository.root.appending(path: "scripts/fuzz"), to: script)
        let scale = "enum Scale { static let unit = 3 }"
        try scratch.write(scale, to: "Sources/Shapes/Scale.swift")
        try scratch.write(
            "package struct Circle { package init() {}; package func area() -> Int { Scale.unit } }",
            to: "Sources/Shapes/Round/Circle.swift")
        try scratch.write("// fuzzes: Shapes/Round\nimport Shapes\nfunc area() -> Int { Circle().area() }", to: "Tests/Fuzz/circle.swift")
        var program = Program(file: script)
        program.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]

        let failed = try program.run(["--check"])
        #expect(failed.status == 1 && failed.output.contains("circle: does not compile"), "\(failed)")
        #expect(failed.output.contains("cannot find 'Scale' in scope"), "\(failed)")

        try scratch.write(scale, to: "Sources/Shapes/Round/Scale.swift")
        let passed = try program.run(["--check"])
        #expect(passed.status == 0 && passed.output == "circle: compiles\n", "\(passed)")
    }
}

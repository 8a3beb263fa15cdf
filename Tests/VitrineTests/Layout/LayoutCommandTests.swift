import Foundation
import Host
import TestSupport
import Testing

@Suite("vitrine layout")
struct LayoutCommandTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    /// Runs the program in a shell, so that input can be piped into it.
    private func shell(_ command: String) throws -> (text: String, status: ProcessStatus) {
        try ProcessLaunch("sh", ["-c", "cd \(vitrine.folder) && vitrine() { \(vitrine.path) \"$@\"; }; \(command)"]).output(
            within: .seconds(60))
    }

    @Test("The list has the presets, for people and for programs")
    func list() throws {
        let table = try vitrine.run(["layout", "ls"])
        #expect(table.status == .code(0))
        #expect(table.output.contains("tree-carousel "))
        let json = try vitrine.run(["layout", "ls", "-o", "json"]).output
        #expect(json.contains("\"name\": \"photo-grid\""))
        #expect(json.contains("\"maximum\": 12"))
    }

    @Test("A preset is shown in a form that the other commands accept")
    func show() throws {
        let (text, status) = try shell("vitrine layout show mosaic-carousel | vitrine layout validate -")
        #expect(status == .code(0), "\(text)")
        #expect(text.hasPrefix("standard input: valid, a nestedGroup with the ID "))
        let unknown = try vitrine.run(["layout", "show", "tree-carousl"])
        #expect(unknown.status == .code(3))
        #expect(unknown.errors.contains("did you mean 'tree-carousel'?"))
        #expect(!unknown.errors.contains("file"))
    }

    @Test("Validation reports every error with its location, and exits with 5")
    func validate() throws {
        let file = try vitrine.write("{\n  \"grid\": {\"colums\": 3, \"spacing\": 1}\n}", to: "mine.json")
        let result = try vitrine.run(["layout", "validate", file])
        #expect(result.status == .code(5))
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("mine.json:2:12: error: /grid/colums: "))
        #expect(result.errors.contains("did you mean \"columns\"?"))
        #expect(result.errors.contains("[INSET_RANGE]"))
        let json = try vitrine.run(["layout", "validate", "-o", "json", file])
        #expect(json.status == .code(5))
        #expect(json.output.contains("\"code\": \"UNKNOWN_KEY\""))
        let request = try vitrine.write(Self.request, to: "page.json")
        #expect(try vitrine.run(["layout", "validate", request]).output.contains("a page of 1 section to solve"))
    }

    @Test("A missing file and a file that is too large have different exit codes", arguments: ["validate", "lint", "solve", "preview"])
    func unreadable(command: String) throws {
        let missing = try vitrine.run(["layout", command, "\(vitrine.folder)/none.json"])
        #expect(missing.status == .code(3))
        #expect(missing.errors.contains("none.json"))
        let large = try vitrine.run(["layout", command, vitrine.write(String(repeating: " ", count: 1 << 20 + 1), to: "large.json")])
        #expect(large.status == .code(5))
        #expect(large.errors.contains("larger than 1 MiB"))
    }

    @Test("Lint reports drift as a warning, and a layout that cannot be drawn as an error")
    func lint() throws {
        let drifting = try shell("vitrine layout show image-carousel | vitrine layout lint -")
        #expect(drifting.status == .code(0))
        #expect(drifting.text.hasPrefix("warning: PAGE_DRIFT at /orthogonalScrollingBehavior, on every screen\n"))
        let hollow = try vitrine.write(
            #"""
            {"group": {"kind": "horizontal", "size": {"width": {"absolute": 60}, "height": {"absolute": 60}}, "contentInsets": {"top": 60},
              "subitems": [{"kind": "item", "size": {"width": {"absolute": 60}, "height": {"absolute": 60}}}]}}
            """#, to: "hollow.json")
        let result = try vitrine.run(["layout", "lint", "-o", "json", hollow])
        #expect(result.status == .code(5))
        #expect(result.output.contains("\"code\": \"NO_ROOM\""))
        let growing = try vitrine.write(#"{"preset": "photo-grid-by-section", "columns": 1}"#, to: "growing.json")
        #expect(try vitrine.run(["layout", "lint", "--items", "1", growing]).output.contains("EMPTY_TAIL"))
        let fine = try vitrine.write(#"{"grid": {"columns": 2}}"#, to: "fine.json")
        #expect(try vitrine.run(["layout", "lint", fine]).output.hasPrefix("no findings"))
        #expect(try vitrine.run(["layout", "lint", "--items", "5", fine]).output.hasPrefix("no findings"))
    }

    static let request =
        #"{"environment": {"width": 390, "height": 844, "scale": 3}, "itemCounts": [2], "layouts": [{"preset": "photo-grid-3"}]}"#

    @Test("A page is solved, and an invalid one is refused with a code")
    func solve() throws {
        let page = try vitrine.run(["layout", "solve", vitrine.write(Self.request, to: "page.json")])
        #expect(page.status == .code(0))
        #expect(page.output.contains("\"width\": 123.3333"))
        let refused = try vitrine.run(["layout", "solve", vitrine.write("{\"environment\": {}}", to: "bad.json")])
        #expect(refused.status == .code(5))
        #expect(refused.output.contains("\"code\": \"MISSING_KEY\""))
    }

    @Test("Lines are answered in order, each before the next one is sent")
    func solveLines() throws {
        let lines = [Self.request, "nonsense", "", Self.request].joined(separator: "\n")
        let file = try vitrine.write(lines, to: "pages.jsonl")
        let responses = try vitrine.run(["layout", "solve", "-o", "jsonl", file]).output.split(separator: "\n")
        #expect(responses.count == 3)
        #expect(responses.first == responses.last)
        #expect(responses.dropFirst().first?.hasPrefix("{\"error\":{\"code\":\"UNEXPECTED_CHARACTER\"") == true)
        // The first response arrives while the input is still open.
        let conversation = """
            mkfifo requests responses; vitrine layout solve -o jsonl - <requests >responses & exec 3>requests 4<responses
            echo '\(Self.request)' >&3; read -r first <&4; echo '{}' >&3; read -r second <&4; exec 3>&-; wait; echo "$second"
            """
        #expect(try shell(conversation).text.hasPrefix("{\"error\":{\"code\":\"MISSING_KEY\""))
    }

    @Test("A preview in the terminal fits its width")
    func terminal() throws {
        let drawn = try vitrine.run(["layout", "preview", "feature-pair-carousel"])
        #expect(drawn.status == .code(0))
        #expect(drawn.output == (try Golden("preview-feature-pair-carousel.txt").text(recording: drawn.output)))
        #expect(drawn.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let tablet = try vitrine.run(["layout", "preview", "photo-grid-adaptive", "--device", "ipad", "--items", "6"])
        #expect(tablet.output.contains("iPad, 820 × 1180"))
        #expect(try vitrine.run(["layout", "preview", "plain-rows", "--device", "ipda"]).errors.contains("ipad"))
        #expect(try vitrine.run(["layout", "preview", "none"]).status == .code(3))
    }

    @Test("A preview writes images, and explains what PNG requires if no converter is installed")
    func pictures() throws {
        let (svg, html, png, json) = (
            "\(vitrine.folder)/a.svg", "\(vitrine.folder)/a.html", "\(vitrine.folder)/a.png", "\(vitrine.folder)/a.json"
        )
        for _ in 0..<2 {
            for path in [svg, html, json] {
                #expect(try vitrine.run(["layout", "preview", "zoom-carousel", "--save", path]).output == "Saved \(path).\n")
            }
        }
        #expect(try vitrine.text(svg).hasPrefix("<svg xmlns="))
        #expect(try vitrine.text(html).hasPrefix("<!doctype html>"))
        #expect(try Files.names(in: vitrine.folder) == ["a.html", "a.json", "a.svg", "output"])
        #expect(try vitrine.text(json).contains("\"frames\""))
        let result = try vitrine.run(["layout", "preview", "zoom-carousel", "--save", png], variables: ["PATH": "/nonexistent"])
        #expect(result.status == .code(1))
        #expect(result.errors.contains("apt-get install librsvg2-bin"))
        #expect(try !Files.names(in: vitrine.folder).contains("a.png"))
        #expect(try vitrine.run(["layout", "preview", "zoom-carousel", "--save", "a.gif"]).status == .code(64))
        // The converter is checked before a request is sent: this server does not exist.
        let page = try vitrine.run(
            ["preview", "today", "--save", png],
            variables: ["PATH": "/nonexistent", "VITRINE_SERVER": "http://127.0.0.1:9", "VITRINE_TOKEN": "vtr_none"])
        #expect(page.status == .code(1) && page.errors.contains("apt-get install librsvg2-bin"), "\(page.errors)")
        let doctor = try vitrine.run(["doctor"], variables: ["PATH": "/nonexistent"])
        #expect(doctor.output.contains("apt-get install librsvg2-bin"), "\(doctor.output)")
        let converter = try vitrine.write("#!/bin/sh\ncat \"$5\" >\"$4\"\n", to: "bin/rsvg-convert")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: converter)
        let path = "\(vitrine.folder)/bin:/usr/bin:/bin"
        #expect(try vitrine.run(["layout", "preview", "zoom-carousel", "--save", png], variables: ["PATH": path]).status == .code(0))
        #expect(try vitrine.text(png).hasPrefix("<svg"))
        let dashed = ["layout", "preview", "zoom-carousel", "--save=-x.png"]
        #expect(try vitrine.run(dashed, variables: ["PATH": path]).status == .code(0))
        #expect(try vitrine.text("\(vitrine.folder)/-x.png").hasPrefix("<svg"))
        #expect(try vitrine.run(["layout", "preview", "zoom-carousel", "--save", "-"], variables: ["PATH": path]).status == .code(64))
    }
}

import Foundation
import Host
import TestSupport
import Testing

@Suite("vitrine preview --save", .serialized, .onOwnThread)
struct PagePictureCommandTests {
    @Test("The command saves cells with their images, or boxes, in each format")
    func all() throws {
        try CuratedSite.with { site in
            try documented(site)
            try formats(site)
            try refusals(site)
            try images(site)
        }
    }

    /// The README shows these pictures, and CONTRIBUTING.md has the commands.
    private func documented(_ site: CuratedSite) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let commands = guide.matches(of: /vitrine (preview today .*) --device (iphone|ipad) --save (docs\/pictures\/[a-z-]+\.svg)/)
        #expect(commands.map(\.2) == ["iphone", "ipad"])
        for command in commands {
            let path = Path.join(site.dev.vitrine.folder, "\(command.2).svg")
            let words = command.1.split(separator: " ").map(String.init) + ["--device", String(command.2), "--save", path]
            let result = try site.run(arguments: words)
            #expect(result.status == .code(0), "\(result.errors)")
            let (drawn, file) = (try site.dev.vitrine.text(path), root.appending(path: String(command.3)))
            if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try drawn.write(to: file, atomically: true, encoding: .utf8) }
            #expect(try String(contentsOf: file, encoding: .utf8) == drawn, "\(command.3)")
            #expect(drawn.utf8.count < 100_000)
        }
    }

    private func formats(_ site: CuratedSite) throws {
        let folder = site.dev.vitrine.folder
        func saved(_ name: String, _ options: String...) throws -> String {
            let result = try site.run(
                arguments: ["preview", "today", "--storefront", "us", "--locale", "en", "--save", Path.join(folder, name)] + options)
            #expect(result.status == .code(0) && result.output == "Saved \(folder)/\(name).\n", "\(result)")
            return String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
        }
        let (screen, whole) = (try saved("a.svg"), try saved("b.svg", "--full-page"))
        #expect(screen.contains("<use href=\"#a0\"") && screen.contains(">Get</text>") && screen.contains(">See All</text>"))
        #expect(whole.contains("A quiet hour") && !screen.contains("A quiet hour"))
        let html = try saved("a.html")
        #expect(html.hasPrefix("<!doctype html>") && html.contains("class=\"device\"") && html.contains("A quiet hour"))
        for boxes in [try saved("w.svg", "--wireframe"), try saved("w.html", "--wireframe")] {
            #expect(boxes.contains("Harbor Notes") && boxes.contains("end of the first screen") && !boxes.contains("<use"))
        }
        let png = try saved("a.png")
        #expect(png.dropFirst().hasPrefix("PNG"))
        let arabic = try site.run("preview", "today", "--storefront", "sa", "--locale", "ar", "--save", Path.join(folder, "ar.svg"))
        #expect(arabic.status == .code(0))
        #expect(try site.dev.vitrine.text(Path.join(folder, "ar.svg")).contains("direction=\"rtl\""))
    }

    private func refusals(_ site: CuratedSite) throws {
        let refused = [
            (["--wireframe"], "'--wireframe' requires '--save'"), (["--full-page"], "'--full-page' requires '--save'"),
            (["--save", "a.json", "--wireframe"], "'--wireframe' requires '--save'"),
            (["--save", "a.html", "--full-page"], "'--full-page' requires '--save'"),
            (["--save", "a.svg", "--full-page", "--wireframe"], "expected only one of"),
            (["--save", "a.gif"], ".svg, .html, .png or .json"),
        ]
        for (options, message) in refused {
            let result = try site.run(arguments: ["preview", "today"] + options)
            #expect(result.status == .code(64) && result.errors.contains(message), "\(options): \(result.errors)")
        }
        let missing = Path.join(site.dev.vitrine.folder, "none/a.svg")
        let result = try site.run("preview", "today", "--storefront", "us", "--save", missing)
        #expect(result.status == .code(1) && result.errors.contains("none/a.svg"), "\(result)")
    }

    private func images(_ site: CuratedSite) throws {
        let id = "5a2b1c9d-2f60-4c55-8b0e-0f6f5a1b2c3d"
        let urls = [
            "topapp:harbor-notes": "/v1/images/1/\(id)/screenshot/390x844.svg", "foodapp:saffron-table": "https://127.0.0.1:9/a.png",
            "topapp:a-poem-at-noon": "/openapi.json",
        ]
        for (item, url) in urls.sorted(by: { $0.key < $1.key }) {
            let result = try site.run(
                "item", "set", item, "--yes", "image.template=\(url)", "image.width=512", "image.height=512", "image.sizes=512x512",
                "image.color=#A1B2C3",
                "image.blurhash=L6Pj0^i_.AyE_3t7t7R**0o#DgR4")
            #expect(result.status == .code(0), "\(result.errors)")
        }
        let path = Path.join(site.dev.vitrine.folder, "images.svg")
        let result = try site.run("preview", "today", "--rev", "1", "--storefront", "us", "--full-page", "--save", path)
        #expect(result.status == .code(0))
        let warnings = result.errors.split(separator: "\n").filter { $0.hasPrefix("warning: cannot load the image ") }
        #expect(warnings.count == 2, "\(result.errors)")
        #expect(warnings.contains { $0.contains("127.0.0.1:9/a.png: no server is listening at") })
        #expect(warnings.contains { $0.contains("/openapi.json: it is not a PNG, JPEG, GIF, WebP or SVG image") })
        let svg = try site.dev.vitrine.text(path)
        #expect(svg.contains("href=\"data:image/svg+xml;base64,") && svg.contains("fill=\"#A1B2C3\""))
    }
}

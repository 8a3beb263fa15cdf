import Host
import JSON
import TestSupport
import Testing

@Suite("vitrine preview, validate and section explain", .serialized, .onOwnThread)
struct LookingCommandTests {
    @Test("The commands show a page, the issues of a file, and the reason for each item's slot")
    func all() throws {
        try CuratedSite.with(scope: "read") { site in
            try preview(site)
            try validation(site)
            try explanation(site)
        }
    }

    private func preview(_ site: CuratedSite) throws {
        let text = try site.output("preview", "today", "--storefront", "us")
        #expect(text.hasPrefix("Today · us · en · revision 1 on iPhone, 390 × 844\n") && text.contains("Harbor Notes"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let arabic = try site.output("preview", "today", "--storefront", "sa", "--locale", "ar", "--at", "+2h", "--device", "ipad")
        #expect(arabic.hasPrefix("سوق الليل · sa · ar · revision 2 · "))
        let profile = try site.run(
            "profile", "set", "riyadh", "--server", site.server, "--storefront", "sa", "--locale", "ar", "--token-file",
            site.dev.vitrine.write(try #require(site.variables["VITRINE_TOKEN"]), to: "riyadh.token"))
        #expect(profile.status == .code(0), "\(profile)")
        #expect(try site.output("preview", "today", "--profile", "riyadh").contains(" · sa · ar · revision 1 "))
        #expect(try site.output("preview", "today", "--profile", "riyadh", "--locale", "en").contains(" · sa · en · revision 1 "))
        // The locale of a profile applies only to its storefront.
        #expect(try site.output("preview", "today", "--profile", "riyadh", "--storefront", "us").contains(" · us · en · revision 1 "))
        let targeted = try site.output(
            "preview", "today", "--storefront", "us", "--client", #"platform=ios, app="3.2", id="someone""#)
        #expect(targeted.count >= text.count)
        for name in ["page.svg", "page.html", "page.json"] {
            let path = Path.join(site.dev.vitrine.folder, name)
            let result = try site.run("preview", "today", "--storefront", "us", "--save", path)
            #expect(result.status == .code(0) && result.output == "Saved \(path).\n")
            #expect(result.errors.contains("note: section 'weekend' is not on the page: it has a target (see --client)"))
            #expect(try site.dev.vitrine.text(path).contains("Harbor Notes"))
        }
        #expect(try site.run("preview", "today", "--save", "page.gif").status == .code(64))
        #expect(try site.run("preview", "today", "--rev", "1", "--line", "main").status == .code(64))
        for command in [["preview", "today"], ["section", "explain", "today", "hero"]] {
            let foreign = try site.run(arguments: command + ["--storefront", "xx"])
            #expect(foreign.status == .code(3), "\(foreign)")
            #expect(foreign.errors.contains("the storefront 'xx' is closed or does not exist\nhint: use one of "), "\(foreign)")
        }
        let unknown = try site.run("preview", "nothing")
        #expect(unknown.status == .code(3) && unknown.output.isEmpty)
    }

    private func validation(_ site: CuratedSite) throws {
        let vitrine = site.dev.vitrine
        _ = try vitrine.write(try site.output("rev", "show", "games", "1", "-o", "json"), to: "feeds/games.json")
        let today = try site.output("rev", "show", "today", "1", "-o", "json")
        let unknown = try vitrine.write(today.replacing("topapp:trailhead", with: "topapp:trailhat"), to: "feeds/today.json")
        let broken = try vitrine.write("{\n  \"feed\": \"x\",\n  \"sections\": 3\n}\n", to: "broken.json")
        let result = try site.run("validate", "-f", "\(vitrine.folder)/feeds", "-f", broken)
        #expect(result.status == .code(5))
        try AdminGolden.expect(result.output.replacing(vitrine.folder, with: "FOLDER"), is: "validate.txt")
        #expect(result.errors.isEmpty)
        let json = try site.run("validate", "-f", unknown, "-o", "json")
        let note = try JSONDocument(parsing: Array(json.output.utf8)).root.elements.first { _ in true }?["findings"]?.elements.first { _ in
            true
        }
        #expect(json.status == .code(5) && note?["code"]?.string == "UNKNOWN_ITEM" && note?["line"]?.integer ?? 0 > 1)
        // Without a server, only the text itself is checked.
        let local = ["validate", "--local", "-f", unknown, "--server", "http://127.0.0.1:9"]
        #expect(try vitrine.run(local).status == .code(0))
        #expect(try site.run("validate", "-f", "\(vitrine.folder)/none.json").status == .code(3))
        #expect(try site.run("validate").status == .code(64))
    }

    private func explanation(_ site: CuratedSite) throws {
        let arguments = ["section", "explain", "today", "order-in", "--storefront", "us"]
        let result = try site.dev.vitrine.run(arguments, variables: site.variables)
        try AdminGolden.expect(result.output, is: "section-explain.txt")
        let json = try site.json("section", "explain", "today", "order-in", "--storefront", "us")
        #expect(json["slots"]?.elements.first { _ in true }?["reason"]?.string == "pinned at slot 0")
        let unknown = try site.run("section", "explain", "today", "order-inn")
        #expect(unknown.status == .code(3) && unknown.errors.contains("did you mean 'order-in'?"))
    }
}

import Host
import JSON
import TestSupport
import Testing

@Suite("vitrine preview, validate and section explain", .serialized, .onOwnThread)
struct LookingCommandTests {
    @Test("show a page, what is wrong with a file, and why an item stands where it does")
    func all() throws {
        try CuratedShop.with(scope: "read") { shop in
            try preview(shop)
            try validation(shop)
            try explanation(shop)
        }
    }

    private func preview(_ shop: CuratedShop) throws {
        let text = try shop.output("preview", "today", "--storefront", "us")
        #expect(text.hasPrefix("Today · us · en · revision 1 on iPhone, 390 × 844\n") && text.contains("Harbor Notes"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let arabic = try shop.output("preview", "today", "--storefront", "sa", "--locale", "ar", "--at", "+2h", "--device", "ipad")
        #expect(arabic.hasPrefix("سوق الليل · sa · ar · revision 2 · "))
        let profile = try shop.run(
            "profile", "set", "riyadh", "--server", shop.server, "--storefront", "sa", "--locale", "ar", "--token-file",
            shop.dev.vitrine.write(try #require(shop.variables["VITRINE_TOKEN"]), to: "riyadh.token"))
        #expect(profile.status == .code(0), "\(profile)")
        #expect(try shop.output("preview", "today", "--profile", "riyadh").contains(" · sa · ar · revision 1 "))
        #expect(try shop.output("preview", "today", "--profile", "riyadh", "--locale", "en").contains(" · sa · en · revision 1 "))
        // Its language is that of its storefront, and of no other.
        #expect(try shop.output("preview", "today", "--profile", "riyadh", "--storefront", "us").contains(" · us · en · revision 1 "))
        let targeted = try shop.output(
            "preview", "today", "--storefront", "us", "--client", #"platform=ios, app="3.2", id="someone""#)
        #expect(targeted.count >= text.count)
        for name in ["page.svg", "page.html", "page.json"] {
            let path = Path.join(shop.dev.vitrine.folder, name)
            let result = try shop.run("preview", "today", "--storefront", "us", "--output", path)
            #expect(result.status == .code(0) && result.output.isEmpty && result.errors.hasSuffix("Wrote \(path).\n"))
            #expect(result.errors.contains("weekend is not on the page: it is for some clients only"))
            #expect(try shop.dev.vitrine.text(path).contains("Harbor Notes"))
        }
        #expect(try shop.run("preview", "today", "--output", "page.gif").status == .code(64))
        #expect(try shop.run("preview", "today", "--rev", "1", "--line", "main").status == .code(64))
        #expect(try shop.run("preview", "today", "--storefront", "xx").status == .code(3))
        let unknown = try shop.run("preview", "nothing")
        #expect(unknown.status == .code(3) && unknown.output.isEmpty)
    }

    private func validation(_ shop: CuratedShop) throws {
        let vitrine = shop.dev.vitrine
        _ = try vitrine.write(try shop.output("rev", "show", "games", "1", "-o", "json"), to: "feeds/games.json")
        let today = try shop.output("rev", "show", "today", "1", "-o", "json")
        let unknown = try vitrine.write(today.replacing("topapp:trailhead", with: "topapp:trailhat"), to: "feeds/today.json")
        let broken = try vitrine.write("{\n  \"feed\": \"x\",\n  \"sections\": 3\n}\n", to: "broken.json")
        let result = try shop.run("validate", "-f", "\(vitrine.folder)/feeds", "-f", broken)
        #expect(result.status == .code(5))
        try CuratingGolden.expect(result.output.replacing(vitrine.folder, with: "FOLDER"), is: "validate.txt")
        #expect(result.errors.isEmpty)
        let json = try shop.run("validate", "-f", unknown, "-o", "json")
        let remark = try JSONDocument(parsing: Array(json.output.utf8)).root.elements.first { _ in true }?["remarks"]?.elements.first { _ in
            true
        }
        #expect(json.status == .code(5) && remark?["code"]?.string == "UNKNOWN_ITEM" && remark?["line"]?.integer ?? 0 > 1)
        // Without a server only the text itself is looked at.
        let local = ["validate", "--local", "-f", unknown, "--server", "http://127.0.0.1:9"]
        #expect(try vitrine.run(local).status == .code(0))
        #expect(try shop.run("validate", "-f", "\(vitrine.folder)/none.json").status == .code(3))
        #expect(try shop.run("validate").status == .code(64))
    }

    private func explanation(_ shop: CuratedShop) throws {
        let words = ["section", "explain", "today", "order-in", "--storefront", "us"]
        let result = try shop.dev.vitrine.run(words, variables: shop.variables)
        try CuratingGolden.expect(result.output, is: "section-explain.txt")
        let json = try shop.json("section", "explain", "today", "order-in", "--storefront", "us")
        #expect(json["slots"]?.elements.first { _ in true }?["because"]?.string == "pinned at slot 0")
        let unknown = try shop.run("section", "explain", "today", "order-inn")
        #expect(unknown.status == .code(3) && unknown.errors.contains("Did you mean order-in?"))
    }
}

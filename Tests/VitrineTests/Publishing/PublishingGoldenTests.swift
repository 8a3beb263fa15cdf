import Host
import TestSupport
import Testing

/// The golden files only record the output; `PublishingCommandTests` states the requirements.
@Suite("The output of vitrine publish and rollback", .serialized, .onOwnThread)
struct PublishingGoldenTests {
    /// A feed that does not depend on the time: no section rotates, and all items stay available.
    private static let document = """
        {"format": 2, "feed": "quays", "title": {"en": "Quays", "de": "Kais", "ar": "أرصفة", "ja": "岸壁"}, "sections": [
            {"key": "hero", "title": {"en": "Down by the water"}, "layout": {"preset": "image-carousel"}, "cell": "card",
             "pins": [{"slot": 0, "item": "topapp:harbor-notes"}, {"slot": 1, "item": "topapp:tideline"}]},
            {"key": "rest", "title": {"en": "The rest", "de": "Der Rest", "ar": "البقية", "ja": "その他"}, "layout": {"list": {}}, "cell": "row",
             "pins": [{"slot": 0, "item": "topapp:dune-sky"}]}]}
        """

    @Test("The output matches the golden files for a feed of fixed items")
    func goldens() throws {
        try CuratedSite.with { site in
            let file = try site.dev.vitrine.write(Self.document, to: "quays.json")
            _ = try site.output("feed", "create", "quays", "-f", file)
            try expect(
                "publish.txt", site,
                [
                    "publish quays --compare us --dry-run", "publish quays --compare us --yes", "publish quays --compare us --yes",
                    "section set quays hero --layout list", "pin add quays rest topapp:sleep-ferry --slot 0 --replace",
                    "publish quays --compare us --from '2131-12-24 18:00' --tz Europe/Stockholm --yes",
                    "publish quays --compare us --compare sa --rev 2 --from 2131-12-25T09:00:00Z --until 2131-12-26T09:00:00Z --yes",
                    "publish quays --compare us --rev 3 --from 2132-01-01T00:00:00Z --yes -o json",
                    "publish quays --compare us --rev 3 --yes",
                    "publish quays --compare sa --rev 2 --storefronts sa,jp --from '2131-12-27 18:00' --until '2131-12-28 02:00' --local --yes",
                    "publish quays --compare sa --rev 2 --storefronts de,sa --from '2131-12-27 20:00' --until '2131-12-27 21:00' --local --yes",
                    "publish quays --compare de --rev 3 --storefronts de --yes", "publish quays --compare us --rev 2 --yes",
                ])
            try expect(
                "rollback.txt", site,
                [
                    "rollback quays --compare de --storefronts de --yes", "rollback quays --compare us --dry-run",
                    "rollback quays --compare us --yes",
                    "rollback quays --compare us --rev 3 --yes -o json", "rollback quays --rev 3 --yes", "rollback quays --rev 9 --yes",
                ])
        }
    }

    /// Compares the output of commands with a golden file. Times from 2131 on come from the commands; others are masked.
    private func expect(_ name: String, _ site: CuratedSite, _ lines: [String]) throws {
        var text = ""
        for line in lines {
            let result = try site.run(arguments: Transcript.arguments(of: line))
            text += "$ vitrine \(line)\n\(result.output)"
            text += result.errors.split(separator: "\n").map { "! \($0)\n" }.joined()
            if result.status != .code(0) { text += "[\(result.status)]\n" }
        }
        text = text.replacing(site.dev.vitrine.path, with: "vitrine").replacing(site.server, with: "http://127.0.0.1:8080")
        text = text.replacing(/20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?Z?/, with: "TIME")
        try AdminGolden.expect(text, is: name, masks: false)
    }
}

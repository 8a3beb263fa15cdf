import Feeds
import Items
import JSON
import Layout
import ScreenFiles
import Security
import TestSupport
import Testing
import Values

@Suite("The review of a publication")
struct PublicationReviewerTests {
    private let start = Timestamp("2026-12-24T00:00:00Z") ?? .epoch
    private let end = Timestamp("2026-12-26T00:00:00Z") ?? .epoch

    private func context() throws -> ReviewContext {
        func storefront(_ key: String, _ locales: [String]) throws -> Storefront {
            let tags = locales.compactMap { LocaleTag($0) }
            return Storefront(key: key, currency: "USD", timeZone: "UTC", locales: tags, defaultLocale: try #require(tags.first))
        }
        let eve = try #require(Timestamp("2026-12-25T18:00:00Z"))
        var context = ReviewContext()
        context.storefronts = [try storefront("de", ["de", "en"]), try storefront("sa", ["ar", "en"]), try storefront("us", ["en"])]
        context.items = [
            .slug(.topApp, "a"): .everywhere, .slug(.topApp, "local"): .at(["us": [.earliest ..< .latest]]),
            .slug(.topApp, "season"): .at(["de": [start..<eve], "sa": [start..<eve], "us": [.earliest ..< .latest]]),
        ]
        context.categories = Set(["tools"] + (0..<9).map { "tools\($0)" })
        context.cuisines = Set(["thai"] + (0..<9).map { "tools\($0)" })
        context.developers = ["Quay Labs"]
        context.tags = ["made-here"]
        context.platforms = ["ios", "ipados"]
        context.charts = ["us": ["top-free"], "de": ["top-free"]]
        context.arms = ["weekend": ["control", "pairs"]]
        for storefront in context.storefronts {
            let isSmall = storefront.key == "sa"
            context.live[storefront.key] = Dictionary(
                uniqueKeysWithValues: try ["hero", "chart", "layouts", "rules"].map {
                    (.shelf(try #require(SectionKey($0))), ReviewContext.VisiblePart(items: 7))
                })
            context.live[storefront.key]?[.shelf(try #require(SectionKey("hero")))] = .init(items: 0, tooFew: 1)
            context.live[storefront.key]?[.shelf(try #require(SectionKey("chart")))] = .init(
                items: isSmall ? 0 : 7, tooFew: isSmall ? 0 : nil)
            context.live[storefront.key]?[.list(try #require(SectionKey("chart")))] = .init(items: isSmall ? 0 : 7)
            context.live[storefront.key]?[.shelf(try #require(SectionKey("rules")))] = .init(
                items: 7, ruleFailure: isSmall ? .timeout : nil)
        }
        return context
    }

    private func findings(in text: String) throws -> [ReviewFinding] {
        let document = try FeedDocument(parsing: Array(text.utf8))
        let context = try context()
        return PublicationReviewer(
            of: document, in: context, during: context.always(start..<end), on: try ScreenMatrix.builtIn(),
            hashedBy: Digest.sha256
        ).findings
    }

    @Test(
        "A developer and a tag that no item has, and an unknown platform, are errors, in a rule, in a list and in a badge",
        arguments: [
            (#"{"developer": ["Quay Labs", "Nobody"]}"#, "UNKNOWN_DEVELOPER", "/developer/1"),
            (#"{"platform": ["ios", "amiga"]}"#, "UNKNOWN_PLATFORM", "/platform/1"),
            (#"{"runsOn": {"amiga": "1"}}"#, "UNKNOWN_PLATFORM", "/runsOn/amiga"),
            (#"{"runsOn": [{"ios": "16"}, {"amiga": "1"}]}"#, "UNKNOWN_PLATFORM", "/runsOn/1/amiga"),
            (#"{"not": {"developer": "nobody"}}"#, "UNKNOWN_DEVELOPER", "/not/developer"),
            (#"{"any": [{"tag": "made-here"}, {"tag": ["made-her"]}]}"#, "UNKNOWN_TAG", "/any/1/tag"),
        ])
    func unknownFacts(rule: String, code: String, pointer: String) throws {
        let findings = try findings(
            in: #"""
                {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                    {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": \#(rule),
                     "badges": [{"badge": "x", "when": \#(rule)}],
                     "seeAll": {"title": {"en": "All", "de": "Alle"}, "rule": \#(rule)}}]}
                """#
        ).filter { $0.code.rawValue == code }
        #expect(findings.map(\.pointer.description) == ["rule", "seeAll/rule", "badges/0/when"].map { "/sections/0/\($0)\(pointer)" })
        #expect(findings.allSatisfy { $0.severity == .error })
    }

    @Test(
        "A missing default cell of a list is reported if neither the layout, nor the list, nor the section has one",
        arguments: [
            (
                #""cell": "listRow", "variants": [{"when": {"minWidth": 700}, "layout": {"preset": "feature-pair"}, "cells": {"large": "big"}}]"#,
                []
            ),
            (
                #""variants": [{"when": {"minWidth": 700}, "layout": {"preset": "feature-pair"}, "cells": {"large": "big"}}]"#,
                ["variants/0/cells"]
            ),
            (#""layout": {"preset": "feature-pair"}, "cells": {"large": "big"}"#, ["cells"]), (#""cell": "listRow""#, []),
        ] as [(String, [String])])
    func defaultCells(members: String, expected: [String]) throws {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                {"key": "hero", "layout": {"preset": "feature-pair"}, "cells": {"large": "tileLarge"}, "rule": {"kind": "topApp"},
                 "seeAll": {"title": {"en": "All", "de": "Alle"}, \#(members)}}]}
            """#
        let found = try findings(in: text).filter { $0.code == .noDefaultCell }.map(\.pointer.description)
        #expect(found == ["/sections/0/cells"] + expected.map { "/sections/0/seeAll/\($0)" })
    }

    @Test(
        "Findings of the layouts of a variant's form are reported at the variant, with the path in its full layout",
        arguments: [
            (#"{"preset": "plain-rows"}"#, "In the full layout, this is /group/size/height."),
            (#"{"preset": "photo-grid-adaptive", "regular": 24}"#, "In the full layout, this is /variants/0/layout/group."),
        ])
    func variantForms(form: String, part: String) throws {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                {"key": "layouts", "layout": {"grid": {}}, "cell": "row", "rule": {"kind": "topApp"},
                 "variants": [{"when": {"minWidth": 300}, "layout": {"carousel": {}}}, {"when": {"minWidth": 10}, "layout": {"list": {}}}]}]}
            """#.replacing(#"{"carousel": {}}"#, with: form)
        let found = try findings(in: text).filter { ["FIXED_TEXT_ROW", "EMPTY_TAIL"].contains($0.code.rawValue) }
        #expect(found.contains { $0.pointer.description == "/sections/0/variants/0/layout" && $0.message.hasSuffix(part) }, "\(found)")
    }

    @Test("The help for a layout that an alternate cannot have names the remedy, and other findings keep the general help")
    func alternateForms() throws {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                {"key": "layouts", "layout": {"preset": "plain-rows"}, "cell": "row", "rule": {"kind": "topApp"},
                 "alternates": {"rows": "active", "tiles": {"layout": {"grid": {"columns": 2, "regularColumns": 4}}}}}]}
            """#
        let found = try findings(in: text)
        let unused = found.filter { $0.code.rawValue == "UNUSED_VARIANT" }
        #expect(unused.map(\.pointer.description) == ["/sections/0/alternates/tiles/layout"])
        #expect(unused.allSatisfy { $0.help.hasPrefix("Write one number of columns") })
        let others = found.filter { $0.code.rawValue == "FIXED_TEXT_ROW" }
        #expect(!others.isEmpty && others.allSatisfy { $0.help.hasPrefix("Run 'vitrine layout preview'") })
    }

    @Test("A list whose first item is in the place of a header has none")
    func firstItem() throws {
        func codes(_ members: String) throws -> [String] {
            let text = #"""
                {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                    {"key": "layouts", "cell": "row", "rule": {"kind": "topApp"}, \#(members)}]}
                """#
            return try findings(in: text).map(\.code.rawValue).filter { $0.hasSuffix("HEADER") }
        }
        let list = #""list": {"headerMode": "firstItemInSection"}"#
        #expect(try codes(#""layout": {\#(list)}"#) == [])
        #expect(try codes(#""layout": {\#(list), "contentInsets": {"top": 4}}, "title": {"en": "T", "de": "T"}"#) == ["NO_HEADER"])
    }

    @Test("The review finds experiments and arms that do not exist, in sections and pins")
    func experiments() throws {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "layouts", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
                 "target": {"experiment": {"weekend": ["pairs", "rows"], "summer": ["on"]}},
                 "pins": [{"slot": 0, "item": "topapp:a", "target": {"experiment": {"weekend": ["cards"]}}}]}]}
            """#
        let found = try findings(in: text).filter { ["UNKNOWN_EXPERIMENT", "UNKNOWN_ARM"].contains($0.code.rawValue) }
        #expect(
            found.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.pointer)" } == [
                "error UNKNOWN_ARM /sections/0/pins/0/target/experiment/weekend/0",
                "error UNKNOWN_EXPERIMENT /sections/0/target/experiment/summer",
                "error UNKNOWN_ARM /sections/0/target/experiment/weekend/1",
            ])
        #expect(found.map(\.help).last == "The arms are control, pairs.")
    }

    @Test("A target at a platform that does not exist is an error, and one at a platform that is not served is a warning")
    func targetPlatforms() throws {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
                 "target": {"platforms": ["ios", "webos", "ipados"]},
                 "pins": [{"slot": 0, "item": "topapp:a", "target": {"platforms": ["amiga"]}}]}]}
            """#
        var context = try context()
        context.servedPlatforms = ["ios"]
        let findings = PublicationReviewer(
            of: try FeedDocument(parsing: Array(text.utf8)), in: context, during: context.always(start..<end),
            on: try ScreenMatrix.builtIn(), hashedBy: Digest.sha256
        ).findings.filter { $0.code == .unknownPlatform }
        #expect(
            findings.map { "\($0.severity.rawValue) \($0.pointer) \($0.message)" } == [
                "error /sections/0/pins/0/target/platforms/0 the platform amiga does not exist",
                "error /sections/0/target/platforms/1 the platform webos does not exist",
                "warning /sections/0/target/platforms/2 the platform ipados has \"served\": false, so its clients can see too few items",
            ])
        #expect(findings.map(\.help).first == "The platforms are ios, ipados.")
    }

    /// Returns the findings about the platforms of a section with these fields, whose items on each platform are given by
    /// storefront.
    ///
    /// `withoutPlatform` has the numbers of items for clients that state no platform, where they are too few.
    private func platformFindings(
        _ members: String, tooFew: [String: [String: Int]] = [:], withoutPlatform: [String: Int] = [:]
    ) throws -> [String] {
        var context = try context()
        context.servedPlatforms = ["android", "ios", "tvos"]
        context.itemPlatforms = [.slug(.topApp, "a"): ["ios", "ipados"], .slug(.topApp, "local"): ["ipados"]]
        let key = SectionPart.shelf(try #require(SectionKey("hero")))
        for storefront in context.storefronts.map(\.key) {
            context.live[storefront]?[key] = .init(items: 7, tooFew: withoutPlatform[storefront], tooFewOn: tooFew[storefront] ?? [:])
        }
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, \#(members)}]}
            """#
        let findings = PublicationReviewer(
            of: try FeedDocument(parsing: Array(text.utf8)), in: context, during: context.always(start..<end),
            on: try ScreenMatrix.builtIn(), hashedBy: Digest.sha256
        ).findings
        return findings.filter { ["INELIGIBLE_PIN", "BELOW_MIN_ITEMS"].contains($0.code.rawValue) }
            .map { "\($0.severity.rawValue) \($0.pointer): \($0.message)" }
    }

    @Test(
        "A pin that a served platform cannot run is a warning, and an error if it is only for platforms that cannot",
        arguments: [
            (#"{"slot": 0, "item": "topapp:a"}"#, "", ["warning android, tvos"]),
            // Clients that state no platform see it.
            (#"{"slot": 0, "item": "topapp:local"}"#, "", ["warning android, ios, tvos"]),
            (#"{"slot": 0, "item": "topapp:local", "target": {"platforms": ["ios", "tvos"]}}"#, "", ["error ios, tvos"]),
            (#"{"slot": 0, "item": "topapp:a", "target": {"platforms": ["ios", "tvos"]}}"#, "", ["warning tvos"]),
            (#"{"slot": 0, "item": "topapp:a", "target": {"platforms": ["ios"]}}"#, "", []),
            (#"{"slot": 0, "item": "topapp:a"}"#, #", "target": {"platforms": ["tvos"], "tags": ["beta"]}"#, ["error tvos"]),
            (#"{"slot": 0, "item": "topapp:a"}"#, #", "eligibility": "none""#, []),
            // It runs everywhere.
            (#"{"slot": 0, "item": "topapp:season"}"#, "", []),
            (#"{"slot": 0, "card": {"key": "c", "title": {"en": "C", "de": "C"}}}"#, "", []),
        ])
    func ineligiblePins(pin: String, members: String, expected: [String]) throws {
        let found = try platformFindings(#""pins": [\#(pin)]\#(members)"#).map { finding in
            finding.replacing(#/ /sections/0/pins/0/item: topapp:[a-z]+ does not run on ([a-z, ]+), so .*/#) { " \($0.output.1)" }
        }
        #expect(found == expected)
    }

    @Test("A section with too few items on a served platform is a warning, and an error if that is so on all platforms that it is for")
    func tooFewOnPlatforms() throws {
        let few = ["de": ["android": 1, "tvos": 0], "sa": ["android": 1, "tvos": 0], "us": ["tvos": 2]]
        let (start, end) = ("minItems is 3, but the section has fewer items", "so pages there omit the section")
        #expect(
            try platformFindings(#""minItems": 3"#, tooFew: few) == [
                "warning /sections/0/minItems: \(start) on android in de, sa (1 item) and on tvos in de, sa, us (0 to 2 items), \(end)"
            ])
        let target = #""minItems": 3, "target": {"platforms": ["tvos"]}"#
        #expect(
            try platformFindings(target, tooFew: few) == [
                "error /sections/0/minItems: \(start) on tvos in de, sa, us (0 to 2 items), \(end)"
            ])
        #expect(try platformFindings(#""minItems": 3, "target": {"platforms": ["ios"]}"#, tooFew: few).isEmpty)
        #expect(try platformFindings(#""minItems": 3"#).isEmpty)
        #expect(
            try platformFindings(#""minItems": 3, "target": {"platforms": ["android"]}"#, tooFew: few) == [
                "warning /sections/0/minItems: \(start) on android in de, sa (1 item), \(end)"
            ])
        // Clients that state no platform still see the section.
        let everywhere = Dictionary(uniqueKeysWithValues: few.keys.map { ($0, ["android": 1, "ios": 1, "tvos": 1]) })
        #expect(
            try platformFindings(#""minItems": 3"#, tooFew: everywhere) == [
                "warning /sections/0/minItems: \(start) on android, ios, tvos in de, sa, us (1 item), \(end)"
            ])
        // A storefront with too few items for all clients is reported once.
        #expect(
            try platformFindings(#""minItems": 3"#, tooFew: everywhere, withoutPlatform: ["sa": 0]) == [
                "warning /sections/0/minItems: \(start) in sa (0 items), \(end)",
                "warning /sections/0/minItems: \(start) on android, ios, tvos in de, us (1 item), \(end)",
            ])
        #expect(
            try platformFindings(#""minItems": 3"#, tooFew: everywhere, withoutPlatform: ["de": 1, "sa": 0, "us": 1]) == [
                "error /sections/0/minItems: \(start) in de (1 item), sa (0 items), us (1 item), \(end)"
            ])
        // The sections above can leave fewer items to clients that state no platform than to those on iOS.
        #expect(
            try platformFindings(#""minItems": 3"#, tooFew: few, withoutPlatform: ["de": 1, "sa": 0, "us": 1]) == [
                "warning /sections/0/minItems: \(start) on android in de, sa (1 item) and on tvos in de, sa, us (0 to 2 items) and "
                    + "for clients without a platform in de (1 item), sa (0 items), us (1 item), \(end)"
            ])
        // Of platforms that are not served, nothing is known.
        #expect(
            try platformFindings(#""minItems": 3, "target": {"platforms": ["ipados"]}"#, tooFew: few, withoutPlatform: ["de": 0]).isEmpty)
    }

    @Test("A review lists all findings, errors first, each with its pointer and a hint")
    func golden() throws {
        let message = (0..<9).map { "\"tools\($0)\"" }.joined(separator: ", ")
        let text = """
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
                {"key": "hero", "title": {"en": "Hero", "ar": "بطل"}, "layout": {"preset": "image-carousel"}, "cell": "card", "minItems": 3,
                 "pins": [
                    {"slot": 2, "item": "topapp:season"}, {"slot": 1, "item": "topapp:local"}, {"slot": 0, "item": "topapp:gone"},
                    {"slot": 3, "item": "topapp:a"}],
                 "exclude": ["foodapp:gone"],
                 "rule": {"any": [{"category": "tols"}, {"not": {"cuisine": ["thai", "thia"]}}]}, "sort": {"chart": "top-fre"}},
                {"key": "chart", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": {"chart": "top-free"},
                 "seeAll": {"title": {"en": "All"}, "layout": {"grid": {"columns": 32, "spacing": 400}}}},
                {"key": "layouts", "layout": {"carousel": {"rows": 2}}, "cell": "row", "rule": {"category": "tools"},
                 "variants": [{"when": {"minWidth": 700}, "layout": {"preset": "image-carousel"}}],
                 "alternates": {"shelf": "active", "grid": {"layout": {"grid": {"columns": 32, "spacing": 400}}}},
                 "target": {"storefronts": ["us", "uk"], "locales": ["en", "fr"]},
                 "badges": [{"badge": "pick", "on": ["topapp:a", "topapp:gone"]}, {"badge": "new", "when": {"category": "news"}}]},
                {"key": "rules", "layout": {"list": {}}, "cell": "row",
                 "rule": {"all": [{"category": [\(message)]}, {"cuisine": [\(message)]}, {"not": {"category": "tools"}}]}}
            ]}
            """
        let reported = try findings(in: text).map { finding in
            """
            \(finding.severity.rawValue) \(finding.code.rawValue) \(finding.section.map { "\($0) " } ?? "")\(finding.pointer)
                \(finding.message)
                \(finding.help)

            """
        }.joined()
        #expect(try Golden("review.txt").text(recording: reported) == reported)
    }

    @Test("The pointers of a review refer to the canonical form")
    func pointers() throws {
        let text = """
            {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute", "ar": "اليوم"}, "sections": [
                {"key": "hero", "layout": {"list": {}}, "cell": "card", "size": 8,
                 "pins": [{"slot": 5, "item": "topapp:x"}, {"slot": 1, "item": "topapp:y"}],
                 "rule": {"all": [{"category": ["x"]}, {"any": [{"cuisine": ["x", "y"]}]}]}, "sort": {"chart": "x"}}
            ]}
            """
        let document = try FeedDocument(parsing: Array(text.utf8))
        let root = try JSONDocument(parsing: document.canonical()).root
        let names = try findings(in: text).filter { $0.code.rawValue.hasPrefix("UNKNOWN_") }.map { finding in
            var node = root
            for token in finding.pointer.tokens {
                let next = Int(token).map { Array(node.elements)[$0] } ?? node[token]
                node = try #require(next, "\(finding.pointer)")
            }
            return node.string
        }
        #expect(names == ["topapp:y", "topapp:x", "x", "x", "y", "x"])
    }
}

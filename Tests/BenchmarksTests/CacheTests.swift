import Foundation
import JSON
import Testing
import Values

@testable import Benchmarks

@Suite("Pages from caches")
struct CacheTests {
    @Test("Many different clients get their pages from Varnish, which requests each page once a minute")
    func varnish() throws {
        var options = CacheOptions()
        options.clients = 20_000
        let checks = try CacheTrial.run(options, ProgressLine())
        #expect(checks.count > 8)
        for check in checks { #expect(check.isHeld, "\(check.cells) with the seed \(options.seed)") }
    }

    @Test("The place of a client in the model is that of the documentation")
    func places() {
        #expect(NaiveTarget.place(of: "a", in: "weekend") == 47)
        #expect(NaiveTarget.place(of: "client-1", in: "dark-mode") == 93)
        #expect(NaiveTarget.place(of: "ünïcode", in: "weekend") == 56)
    }

    @Test("The options of the command line are read, and unknown ones are rejected")
    func options() throws {
        let options = try CacheOptions(["--clients", "5", "--proxy", "url", "--switches", "2", "--remove-stale"])
        #expect(options.clients == 5 && options.proxy == .url && options.switches == 2 && options.removesStale)
        #expect(!options.headersOnly && options.program == nil)
        let before = try CacheOptions(["--headers-only", "--program", "before/vitrine"])
        #expect(before.headersOnly && before.program == "before/vitrine")
        for invalid in [
            ["--clients", "none"], ["--proxy", "squid"], ["--seed"], ["--program"], ["--tries", "1"],
            ["--headers-only", "--proxy", "nginx"], ["--proxy", "url", "--headers-only"],
        ] {
            #expect(throws: BenchmarkOptions.Usage.self) { try CacheOptions(invalid) }
        }
    }

    @Test("A cache that stores nothing, too many pages or each page too often misses a limit")
    func origin() {
        func isHeld(objects: Int, requests: Int, minutes: Int = 0, changes: Int = 0) -> Bool {
            OriginLoad.checks(objects: objects, of: "a", maxObjects: 70, requests: requests, minutes: minutes, changes: changes)
                .allSatisfy(\.isHeld)
        }
        #expect(isHeld(objects: 70, requests: 70))
        #expect(!isHeld(objects: 0, requests: 0))
        #expect(!isHeld(objects: 71, requests: 71))
        #expect(!isHeld(objects: 70, requests: 71))
        #expect(isHeld(objects: 70, requests: 210, minutes: 1, changes: 1))
        #expect(!isHeld(objects: 70, requests: 211, minutes: 1, changes: 1))
    }

    @Test("A request by headers has only the locale in its URL, and the size of each screen in a field")
    func headersOnly() {
        let feeds = TrialFeeds(storefronts: [.init(key: "us", locales: ["en"], feeds: ["today"])], screens: [])
        for number in 0..<100 {
            let client = TrialClient(number, of: feeds, seed: 1)
            let request = String(decoding: client.requestByHeaders, as: UTF8.self)
            let lines = request.split(separator: "\r\n")
            #expect(lines[0] == "GET /v1/us/feeds/today?locale=en HTTP/1.1")
            #expect(lines.contains { $0.hasPrefix("vitrine-client: ") })
            #expect(request.contains("platform=") == (client.platform != nil))
            #expect(client.platform.map { request.contains("platform=\"\($0)\"") } ?? true)
            #expect(lines.contains("vitrine-layout: version=1, width=\(client.display.width), height=\(client.display.height)"))
        }
    }

    @Test("The fields of a shared request state each platform, locale and size with each of its URLs, and those of a personal one its own")
    func independentFields() throws {
        let locales = ["en", "de", "ja"]
        let feeds = TrialFeeds(storefronts: [.init(key: "us", locales: locales, feeds: ["today"])], screens: ["phone"])
        var stated: Set<String> = []
        for number in 0..<5_000 {
            let client = TrialClient(number, of: feeds, seed: 1)
            let shared = String(decoding: client.request, as: UTF8.self)
            #expect(shared.hasPrefix("GET \(client.path) HTTP/1.1\r\n"))
            let platform = shared.firstMatch(of: #/platform="([a-z]+)"/#).map { String($0.1) } ?? "none"
            let language = try #require(shared.firstMatch(of: #/accept-language: ([a-z]+), /#)).1
            let hasSize = shared.contains("width=\(client.display.width), height=\(client.display.height)")
            stated.formUnion([
                "\(client.platform ?? "none") \(platform)", "\(client.locale) \(language)", "\(client.screen ?? "none") \(hasSize)",
            ])
            let personal = String(decoding: client.personalRequest, as: UTF8.self)
            #expect(personal.contains("accept-language: \(client.locale), "))
            #expect(client.platform.map { personal.contains("platform=\"\($0)\"") } ?? !personal.contains("platform="))
            #expect(personal.contains("width=") == (client.screen != nil))
        }
        let platforms = feeds.platforms.count + 1
        #expect(stated.count == platforms * platforms + locales.count * locales.count + 2 * 2)
    }

    @Test("A shared page is compared with its extents, and what a client shows without them")
    func extents() throws {
        func page(_ extent: String, title: String = "A") throws -> ComparablePage {
            let section = #"{"id": "a", "title": "\#(title)", "layout": "b"\#(extent), "items": [{"placement": "p", "item": "i"}]}"#
            return try ComparablePage(Array(#"{"sections": [\#(section)], "items": {"i": {"title": "I"}}}"#.utf8))
        }
        let (narrow, wide) = try (page(#", "extent": 270"#), page(#", "extent": 336"#))
        #expect(narrow != wide)
        #expect(narrow.difference(from: wide) == "a extent: 270 instead of 336")
        #expect(try narrow.difference(from: page("")) == "a extent: 270 instead of nothing")
        let shelf = Shelf(section: "a", layout: nil, list: nil, placements: ["p"], isPinned: [false], items: ["i"])
        #expect(narrow.keeping([shelf]) == wide.withoutExtents)
        #expect(try narrow.keeping([shelf]) != page("", title: "B"))
    }

    @Test("A cache by URL gives the public response to the first client to all of them, but a private response to one of them only")
    func firstClient() throws {
        // A server whose responses depend on all fields.
        let origin = try LocalListener()
        defer { origin.stop() }
        try origin.start { connection in
            while let lines = try connection.head() {
                let body = lines.dropFirst().joined(separator: ";")
                let control = lines[0].contains("private") ? "private" : "public"
                let head = "HTTP/1.1 200 OK\r\ncache-control: \(control), max-age=60\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
                try connection.send(Array((head + body).utf8))
            }
        }
        let proxy = try PageProxy(.storing, origin: origin.port)
        defer { proxy.stop() }
        func response(_ path: String, to client: Int, _ fields: String = "") throws -> String {
            let connection = try PageConnection(port: proxy.port)
            let request = "GET \(path) HTTP/1.1\r\nhost: shop\r\nvitrine-client: id=\(client)\r\n\(fields)origin: null\r\n\r\n"
            try connection.send(Array(request.utf8))
            return String(decoding: try connection.receive().body, as: UTF8.self)
        }
        #expect(try response("/public", to: 1, "Accept-Encoding: br\r\n") == "host: shop;vitrine-client: id=1;origin: null")
        #expect(try response("/public", to: 2) == "host: shop;vitrine-client: id=1;origin: null")
        #expect(try response("/other", to: 3) == "host: shop;vitrine-client: id=3;origin: null")
        #expect(proxy.objects() == 2)
        for client in 1...2 {
            #expect(try response("/private", to: client) == "host: shop;vitrine-client: id=\(client);origin: null")
        }
        #expect(proxy.objects() == 2)
    }
}

@Suite("The layouts that clients choose")
struct ChosenLayoutTests {
    /// The same section as its app and as the model read it.
    private struct Section {
        private let app: LayoutOptions
        private let appList: LayoutOptions?
        private let model: NaiveLayouts
        private let modelList: NaiveLayouts?

        init(_ text: String) throws {
            let node = try JSONDocument(parsing: Array(text.utf8)).root
            app = try #require(node.decodeLeniently(LayoutOptions.self))
            appList = node["seeAll"]?.decodeLeniently(LayoutOptions.self)
            let data = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            model = NaiveLayouts(data)
            modelList = (data["seeAll"] as? [String: Any]).map { NaiveLayouts($0, listOf: data) }
        }

        /// Returns the layouts of the section and of its list, first those of the app and then those of the model.
        func choices(on display: TrialDisplay) -> [[ChosenLayout?]] {
            [
                [app.choice(on: display), appList?.choice(on: display, listOf: app)],
                [model.choice(on: display), modelList?.choice(on: display)],
            ]
        }
    }

    private static func id(_ number: Int) -> String { String(repeating: "\(number)", count: 32) }

    private static let section = """
        {"id": "today/order-in", "layout": "\(id(0))", "cell": "foodCard", "cells": {"large": "tileLarge"}, "active": "grid",
         "variants": [
            {"when": {"horizontalSizeClass": "regular", "maxHeight": 700}, "layout": "\(id(1))", "cell": "wideTile"},
            {"when": {"minWidth": 300, "minDepth": 1}, "layout": "\(id(2))"},
            {"when": {"minTextSize": "xxxLarge"}, "layout": "\(id(3))", "cells": {"small": "tileSmall"}}],
         "alternates": {"grid": {"layout": "\(id(0))"}, "column": {"layout": "\(id(4))", "cell": "foodRow", "cells": {"first": "banner"}}},
         "seeAll": {"layout": "\(id(5))", "cell": "listRow", "variants": [{"when": {"minWidth": 700}, "layout": "\(id(6))", "cell": "listTile"}]}}
        """

    @Test(
        "The user's choice comes before the first variant that holds, and its cells before those of the section",
        arguments: [
            (TrialDisplay(), 0, "foodCard large=tileLarge"),
            (TrialDisplay(height: 700, horizontalSizeClass: "regular"), 1, "wideTile large=tileLarge"),
            (TrialDisplay(height: 701, horizontalSizeClass: "regular"), 0, "foodCard large=tileLarge"),
            (TrialDisplay(textSize: "xxxLarge"), 3, "foodCard small=tileSmall"),
            (TrialDisplay(textSize: "xxLarge"), 0, "foodCard large=tileLarge"),
            (TrialDisplay(height: 600, horizontalSizeClass: "regular", textSize: "accessibilityMedium"), 1, "wideTile large=tileLarge"),
            (TrialDisplay(textSize: "accessibilityMedium", alternate: "column"), 4, "foodRow first=banner"),
            (TrialDisplay(textSize: "accessibilityMedium", alternate: "grid"), 3, "foodCard small=tileSmall"),
            (TrialDisplay(alternate: "mosaic"), 0, "foodCard large=tileLarge"),
        ])
    func section(display: TrialDisplay, layout: Int, cells: String) throws {
        for choices in try Section(Self.section).choices(on: display) {
            #expect(choices[0] == ChosenLayout(id: Self.id(layout), cells: cells))
        }
    }

    @Test("Clients of different tallies choose different layouts only if the layouts are of one section")
    func choices() {
        func tally(_ section: String, _ cells: String) -> CacheTally {
            var tally = CacheTally()
            let layout = ChosenLayout(id: Self.id(0), cells: cells)
            tally.add([Shelf(section: section, layout: layout, list: nil, placements: [], isPinned: [], items: [])])
            return tally
        }
        var sum = tally("a", "row")
        sum += tally("b", "tile")
        sum += tally("a", "row")
        #expect(sum.choicesOfSection == 1)
        sum += tally("a", "tile")
        #expect(sum.choicesOfSection == 2)
    }

    @Test("A list has its own variants, and the cells of its section only in fields that it does not have")
    func list() throws {
        let section = try Section(Self.section)
        for choices in section.choices(on: TrialDisplay(width: 699, alternate: "column")) {
            #expect(choices[1] == ChosenLayout(id: Self.id(5), cells: "listRow large=tileLarge"))
        }
        for choices in section.choices(on: TrialDisplay(width: 700)) {
            #expect(choices[1] == ChosenLayout(id: Self.id(6), cells: "listTile large=tileLarge"))
        }
    }

    @Test("The app and the model choose the same layouts for random conditions and displays")
    func random() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = TrialRandom(seed: seed)
        for _ in 0..<300 {
            let text = Self.randomSection(&random)
            let section = try Section(text)
            for _ in 0..<20 {
                let display = TrialDisplay(using: &random)
                let choices = section.choices(on: display)
                #expect(choices[0] == choices[1], "\(display) \(text) with the seed \(seed)")
            }
        }
    }

    private static func randomSection(_ random: inout TrialRandom) -> String {
        func layouts(_ count: Int) -> String {
            let variants = (1...count).map { number in
                let cell = Bool.random(using: &random) ? #", "cell": "cell\#(number)""# : ""
                return #"{"when": {\#(condition())}, "layout": "\#(id(number))"\#(cell)}"#
            }
            return #""layout": "\#(id(0))", "variants": [\#(variants.joined(separator: ", "))]"#
        }
        func condition() -> String {
            let lengths = ["minWidth", "maxWidth", "minHeight", "maxHeight"].map { ($0, "\(Int.random(in: 300...1_400, using: &random))") }
            let classes = ["horizontalSizeClass", "verticalSizeClass"].map {
                ($0, Bool.random(using: &random) ? #""compact""# : #""regular""#)
            }
            let sizes = ["minTextSize", "maxTextSize"].map {
                ($0, "\"\(TrialDisplay.textSizes.randomElement(using: &random) ?? "large")\"")
            }
            let parts = (lengths + classes + sizes).shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            return parts.map { #""\#($0)": \#($1)"# }.joined(separator: ", ")
        }
        let alternates = #""alternates": {"column": {"layout": "\#(id(8))"}, "grid": {"layout": "\#(id(9))", "cell": "gridCell"}}"#
        let active = Bool.random(using: &random) ? #", "active": "grid""# : ""
        return #"{"cell": "cell0", \#(layouts(4)), \#(alternates)\#(active), "seeAll": {\#(layouts(2))}}"#
    }
}

@Suite("The evaluation of takeovers in caches")
struct SwitchTests {
    private static func time(_ seconds: Double) -> Timestamp { Timestamp(clamping: Int(seconds * 1_000_000)) }

    /// A takeover from second 10 to second 14.
    private let schedule = SwitchSchedule(switches: [time(10), time(14)], revision: 3)

    private func tally(_ revision: Int, until end: Double?, sent: Double, received: Double? = nil) -> SwitchTally {
        var tally = SwitchTally()
        let page = ScheduledPage(revision: revision, end: end.map(Self.time))
        tally.add(page, sent: Self.time(sent), received: Self.time(received ?? sent), schedule)
        return tally
    }

    @Test("A page is late if it is requested more than a second after its end, and uncertain if it was only received then")
    func late() {
        #expect(tally(1, until: 10, sent: 10.9).late == 0)
        #expect(tally(1, until: 10, sent: 11.1).late == 1)
        #expect(tally(1, until: 10, sent: 11.1).uncertain == 0)
        #expect(tally(3, until: 14, sent: 15.5).late == 1)
        #expect(tally(1, until: nil, sent: 100).late == 0)
        // Another scheduled change, before the takeover.
        #expect(tally(1, until: 9, sent: 11.1).late == 1)
        #expect(tally(1, until: 10, sent: 10.9, received: 11.0).uncertain == 0)
        let uncertain = tally(1, until: 10, sent: 10.9, received: 11.5)
        #expect(uncertain.late == 0 && uncertain.uncertain == 1 && uncertain.latest == .milliseconds(1_500))
    }

    @Test("A page is early if it is received before the switch from which it is valid, and uncertain if it was only requested then")
    func early() {
        #expect(tally(3, until: 14, sent: 9.8, received: 9.9).early == 1)
        #expect(tally(3, until: 14, sent: 9.8, received: 9.9).uncertain == 0)
        #expect(tally(1, until: nil, sent: 13.9).early == 1)
        #expect(tally(1, until: 10, sent: 1).early == 0)
        let uncertain = tally(3, until: 14, sent: 9.999, received: 10)
        #expect(uncertain.early == 0 && uncertain.uncertain == 1)
        let valid = tally(3, until: 14, sent: 10, received: 10.1)
        #expect(valid.early == 0 && valid.uncertain == 0)
    }

    @Test("Early and late pages miss a limit, and uncertain ones are a row without one")
    func checks() {
        func short(_ tally: SwitchTally) -> [String] {
            var tally = tally
            tally.time = .milliseconds(5)
            return tally.checks(of: "a", schedule).filter { !$0.isHeld }.map(\.what)
        }
        #expect(short(tally(3, until: 14, sent: 9.8, received: 9.9)).contains("a: new pages before their time"))
        #expect(short(tally(1, until: 10, sent: 11.1)).contains("a: old pages more than a second after their time"))
        for tally in [tally(3, until: 14, sent: 9.999, received: 10), tally(1, until: 10, sent: 10.9, received: 11.5)] {
            #expect(!short(tally).contains { $0.contains("their time") })
            let row = tally.checks(of: "a", schedule).first { $0.what.contains("requested before such a limit") }
            #expect(row?.found == 1)
            #expect(row?.cells.suffix(2) == ["", ""])
        }
    }

    @Test("A page whose revision contradicts its end is wrong")
    func wrong() {
        #expect(tally(3, until: 10, sent: 1).wrong == 1)
        #expect(tally(1, until: 14, sent: 11).wrong == 1)
        #expect(tally(3, until: 14, sent: 11).wrong == 0)
    }

    @Test("The revision and the end of a page are read from its first bytes")
    func page() {
        let body = #"{"schema":"vitrine.page/1","feed":"today","revision":7,"version":9,"validUntil":"1970-01-01T00:00:10Z","sections":[]}"#
        #expect(ScheduledPage(Array(body.utf8)) == ScheduledPage(revision: 7, end: Self.time(10)))
        #expect(ScheduledPage(Array("{}".utf8)) == nil)
    }
}

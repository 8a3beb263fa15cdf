import EventLoop
import HTTPMessages
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The pages of distinct clients", .databaseForEachTest)
struct DistinctClientsTests {
    private static let personal = "/v1/us/feeds/today?form=personal"

    /// Returns a feed with two sections: one for everybody, and one with a target and a pin with a target.
    private static func feed(_ target: String?, pin: String? = nil) -> String {
        let members = target.map { #", "target": \#($0)"# } ?? ""
        let pins = pin.map { #", "pins": [{"slot": 1, "item": "topapp:app-30", "target": \#($0)}]"# } ?? ""
        return #"""
            {"format": 2, "feed": "today", "title": {"en": "Today", "es": "Hoy"}, "sections": [
              {"key": "all", "title": {"en": "Apps"}, "layout": {"preset": "zoom-carousel"}, "cell": "row", "size": 3,
               "rule": {"kind": "topApp"}, "eligibility": "none"},
              {"key": "some", "layout": {"list": {}}, "cell": "row", "size": 4, "rule": {"kind": "topApp"}, "eligibility": "none"\#(members)\#(pins)}]}
            """#
    }

    /// A running experiment with three arms.
    private static let weekend = """
        INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
        VALUES ('weekend', 'weekend', '{"a": [[0, 30]], "b": [[30, 60]], "c": [[60, 100]]}', 'a');
        UPDATE vitrine.experiments SET state = 'running';
        """

    /// The fields of one of any number of clients, which have nothing in common but their platform and their best locale.
    private static func fields(_ number: Int) -> [String] {
        [
            #"Vitrine-Client: id="client-\#(number)", platform=ios, app="\#(number % 7).\#(number)", os="\#(number % 5 + 14).\#(number)", tags=("t\#(number)")"#,
            "Accept-Language: en, x-\(number);q=0.5", "X-Request-ID: request-\(number)",
        ]
    }

    private static func send(_ site: PageSite, _ path: String, _ fields: [String]) throws -> Response {
        let request = Request(
            head: try head("GET \(path)", fields), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .never)
        guard case .now(let response) = site.application.service.respond(request) else {
            throw RequestError(.badRequest, "the response is not in memory: \(path)")
        }
        return response
    }

    @Test(
        "1,000 clients with different headers get as many pages as their outcomes differ",
        arguments: [
            (nil, 1), (#"{"storefronts": ["us"], "locales": ["en"], "platforms": ["ios"]}"#, 1), (#"{"appVersion": ">=3.0"}"#, 2),
            (#"{"os": ">=15 <17"}"#, 2), (#"{"tags": ["t7", "t8", "vip"]}"#, 2), (#"{"experiment": {"weekend": ["a"]}}"#, 3),
            (#"{"platforms": ["android"], "appVersion": ">=3.0"}"#, 1), (#"{"tags": ["t10"], "appVersion": ">=3.0"}"#, 2),
        ])
    func shared(target: String?, count: Int) async throws {
        try await PageSite.run { site in
            if target?.contains("experiment") == true { try await site.sql(Self.weekend) }
            for document in target == nil ? [Self.feed(nil)] : [Self.feed(target), Self.feed(nil, pin: target)] {
                try await site.publish(document)
                let before = site.service.rendered.renderedCount
                var tags: Set<String> = []
                var bodies: Set<String> = []
                for number in 0..<1_000 {
                    let response = try Self.send(site, Self.personal, Self.fields(number))
                    try #require(response.status == .ok)
                    tags.formUnion(response[.etag])
                    bodies.insert(response.text)
                }
                #expect(site.service.rendered.renderedCount - before == count)
                #expect(tags.count == count && bodies.count == count)
                #expect(site.service.memory.variantCount == count)
            }
        }
    }

    @Test("An experiment tells clients apart only while it runs")
    func experiment() async throws {
        try await PageSite.run { site in
            try await site.sql(Self.weekend.replacing("'running'", with: "'draft'"))
            try await site.publish(Self.feed(#"{"experiment": {"weekend": ["a", "b"]}}"#))
            for (state, pages) in [("state = 'draft'", 1), ("state = 'running'", 3), ("state = 'concluded', winner = 'b'", 1)] {
                try await site.sql("UPDATE vitrine.experiments SET \(state)")
                var tags: Set<String> = []
                for number in 0..<300 { tags.formUnion(try Self.send(site, Self.personal, Self.fields(number))[.etag]) }
                #expect(tags.count == pages && site.service.memory.variantCount == pages, "\(state)")
            }
        }
    }

    @Test("A page without a locale is stored once for each locale, for clients with any languages")
    func languages() async throws {
        try await PageSite.run { site in
            let before = site.service.rendered.renderedCount
            for path in ["/v1/us/feeds/today", "/v1/us/feeds"] {
                for number in 0..<500 {
                    let language = number % 2 == 0 ? "es-\(100 + number), en;q=0.4" : "x-\(number), en-GB, es;q=0.\(number % 9)"
                    let response = try Self.send(site, path, ["Accept-Language: \(language)"])
                    #expect(response["content-language"] == [number % 2 == 0 ? "es" : "en"])
                    #expect(response[.vary] == ["accept-encoding, accept-language"])
                    #expect(response[.cacheControl] == ["private, max-age=60"])
                }
            }
            #expect(site.service.rendered.renderedCount - before == 2 && site.service.memory.variantCount == 4)
        }
    }

    @Test("A shared page is stored once for all clients, under its URL alone")
    func sharedPage() async throws {
        try await PageSite.run { site in
            let before = site.service.rendered.renderedCount
            for number in 0..<500 {
                let response = try Self.send(site, "/v1/us/feeds/today?locale=en&platform=ios", Self.fields(number))
                #expect(response[.vary] == ["accept-encoding"])
            }
            #expect(site.service.rendered.renderedCount - before == 1 && site.service.memory.variantCount == 0)
        }
    }

    @Test("Plans and the responses that they find count with the targets and experiments that they keep")
    func memory() async throws {
        try await PageSite.run { site in
            try await site.sql(Self.weekend)
            var sizes: [(urls: Int, variants: Int)] = []
            for count in [1, 21] {
                let sections = (0..<count).map { number in
                    #"""
                    {"key": "s\#(number)", "layout": {"list": {}}, "cell": "row", "size": 1, "rule": {"kind": "topApp"},
                     "eligibility": "none", "target": {"tags": ["t\#(number)"]\#(number > 0 ? #", "experiment": {"weekend": ["a"]}"# : "")}}
                    """#
                }
                try await site.publish(
                    #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#)
                _ = try Self.send(site, Self.personal, Self.fields(0))
                sizes.append(site.service.memory.bytes)
            }
            #expect(sizes[0].urls > 1_024 && sizes[1].urls > sizes[0].urls + 100)
            #expect(sizes[0].variants > 1_024 && sizes[1].variants > sizes[0].variants + 20)
        }
    }

    // MARK: The same page as without stored ones

    private struct Sent: Equatable {
        let status: Status
        let text: String
        let fields: [[String]]

        init(_ response: Response) {
            status = response.status
            text = response.text
            fields = [.etag, .vary, .cacheControl, .contentType, "content-language"].map { response[$0] }
        }
    }

    /// The conditions of random targets, by property.
    private static let conditions = [
        [#""storefronts": ["us", "de"]"#], [#""locales": ["es"]"#], [#""platforms": ["ios", "web"]"#],
        [#""appVersion": ">=3.0 <5""#, #""appVersion": "<3""#], [#""os": ">=17""#, #""os": "=16.4""#], [#""tags": ["beta", "vip"]"#],
        [#""experiment": {"weekend": ["a", "c"]}"#],
    ]

    /// Returns a target as a member of a section or a pin, or nothing.
    private static func target(_ random: inout SeededRandom) -> String {
        var chosen: [String] = []
        for choices in conditions where Int.random(in: 0..<4, using: &random) == 0 {
            chosen.append(choices.randomElement(using: &random) ?? "")
        }
        return chosen.isEmpty ? "" : #", "target": {\#(chosen.joined(separator: ", "))}"#
    }

    private static func document(_ random: inout SeededRandom) -> String {
        let layouts = [#"{"list": {}}"#, #"{"preset": "zoom-carousel"}"#, #"{"carousel": {"rows": 3}}"#]
        var sections: [String] = []
        for index in 0..<Int.random(in: 1...6, using: &random) {
            var pins: [String] = []
            for slot in 0..<Int.random(in: 0...2, using: &random) {
                pins.append(#"{"slot": \#(slot), "item": "topapp:app-\#(20 + slot + index)"\#(target(&random))}"#)
            }
            sections.append(
                #"""
                {"key": "s\#(index)", "layout": \#(layouts[index % layouts.count]), "cell": "row", "size": \#(index % 3 + 2),
                 "rule": {"kind": "topApp"}, "eligibility": "none", "pins": [\#(pins.joined(separator: ", "))]\#(target(&random))}
                """#)
        }
        return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }

    /// Returns a request for a page, personal or not, with fields that are often invalid.
    private static func request(_ random: inout SeededRandom) -> (path: String, fields: [String]) {
        func one(_ values: String...) -> String { values.randomElement(using: &random) ?? "" }
        let number = Int.random(in: 0..<1_000, using: &random)
        let parameters = [
            one("form=personal", "form=personal", "form=personal", ""), one("", "locale=en", "locale=es"),
            one("", "", "platform=ios", "platform=android"), one("", "", "screen=ipad"),
        ]
        let query = parameters.filter { !$0.isEmpty }.joined(separator: "&")
        let members = [
            one(#"id="client-\#(number)""#, #"id="\"\#(number)\"""#, "id=c\(number)", "id=\(number)", "id", ""),
            one("platform=ios", #"platform="web""#, "platform=x", "platform=android", "platform=(ios)", ""),
            one(#"app="3.\#(number)""#, #"app="2""#, #"app="4.9", app="5.0""#, "app=3", #"app="3.x""#, ""),
            one(#"os="17.0.0""#, #"os="16.4""#, #"os="16.4.0.1""#, "os=ios17", ""),
            one(#"tags=("beta" "t\#(number)")"#, "tags=(vip);q=1", "tags=(beta 1)", "tags=()", "tags=beta", ""),
            one("x", "y=1;a=b", "z=?1", "z=?2", "", "", "", ""),
        ].filter { !$0.isEmpty }.shuffled(using: &random)
        let capabilities = one("", #", capabilities=("effect.centerScale")"#, #", capabilities=("group.custom" "x.\#(number)")"#)
        let size = "width=\(Int.random(in: 0...1_400, using: &random)).5, height=\(Int.random(in: 300...1_400, using: &random))"
        let fields = [
            one("", "Vitrine-Client: \(members.joined(separator: ", "))", "Vitrine-Client: \(members.joined(separator: ","))"),
            one("", "Vitrine-Layout: version=1, \(size)\(capabilities)", "Vitrine-Layout: version=\(number)"),
            one("", "Accept-Language: \(one("es", "en", "es-MX;q=0.8, x-\(number)", "de, *", "fr, es;q=0.\(number % 9)"))"),
        ]
        return ("/v1/us/feeds/today\(query.isEmpty ? "" : "?\(query)")", fields.filter { !$0.isEmpty })
    }

    @Test("Random clients get exactly the page that is rendered for each of them alone", arguments: Seeds.fixed(2))
    func equal(seed: UInt64) async throws {
        try await PageSite.run { site in
            var random = SeededRandom(seed: seed)
            try await site.sql("\(Self.weekend) UPDATE vitrine.holdouts SET share = 20;")
            var pages: Set<String> = []
            for _ in 0..<4 {
                let document = Self.document(&random)
                try await site.publish(document)
                let requests = (0..<150).map { _ in Self.request(&random) }
                // The first requests for a page store it for the others.
                let found = try requests.map { Sent(try Self.send(site, $0.path, $0.fields)) }
                let state = try #require(site.service.memory.publishedState)
                for (request, sent) in zip(requests, found) {
                    #expect(sent.status == .ok, "seed \(seed): \(request) \(sent.text)")
                    site.service.memory.show(state, isChanged: true)
                    site.service.rendered.removeAll(except: PublishedState())
                    let alone = Sent(try Self.send(site, request.path, request.fields))
                    try #require(sent == alone, "seed \(seed): \(request) of \(document)")
                    pages.insert(sent.text)
                }
            }
            #expect(!Seeds.isFixed(seed, of: 2) || pages.count > 20, "seed \(seed): the pages do not differ")
        }
    }
}

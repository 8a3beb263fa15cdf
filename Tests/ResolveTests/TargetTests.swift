import JSON
import Resolve
import TestSupport
import Testing

@Suite("A target")
struct TargetTests {
    private func target(_ text: String) throws -> Target { try Target(parsing: Array(text.utf8)) }

    private func readLeniently(_ text: String) throws -> Target {
        try JSONDocument(parsing: Array(text.utf8)).decodeLeniently(Target.self).value
    }

    private var client: ClientFacts {
        var facts = ClientFacts()
        facts.storefront = .said("us")
        facts.locale = .said(["es-MX", "es-419", "es"])
        facts.platform = .said("ios")
        facts.appVersion = Fact(Version("3.1"))
        facts.os = Fact(Version("17.4"))
        facts.tags = .said(["beta", "staff"])
        facts.client = .said("client-1")
        return facts
    }

    @Test(
        "A target includes a client only if every condition holds",
        arguments: [
            (#"{"storefronts": ["de", "us"]}"#, true), (#"{"storefronts": ["de"]}"#, false), (#"{"locales": ["es"]}"#, true),
            (#"{"locales": ["es-MX"]}"#, true), (#"{"locales": ["es-ES", "en"]}"#, false), (#"{"platforms": ["ios"]}"#, true),
            (#"{"platforms": ["android"]}"#, false), (#"{"appVersion": ">=3.0"}"#, true), (#"{"appVersion": "<3.1"}"#, false),
            (#"{"os": "=17.4.0"}"#, true), (#"{"os": ">=16 <17.4"}"#, false), (#"{"tags": ["alpha", "beta"]}"#, true),
            (#"{"tags": ["alpha"]}"#, false),
            (#"{"storefronts": ["us"], "platforms": ["ios"], "tags": ["staff"]}"#, true),
            (#"{"storefronts": ["us"], "platforms": ["ios"], "tags": ["alpha"]}"#, false),
        ])
    func conditions(text: String, holds: Bool) throws {
        #expect(try target(text).ask(client) == (holds ? .yes : .no))
    }

    @Test(
        "A condition on a value that the client does not state does not hold, and stays if the value is unknown",
        arguments: [
            #"{"platforms": ["ios"]}"#, #"{"appVersion": "<9999"}"#, #"{"os": ">=0"}"#, #"{"tags": ["beta"]}"#,
            #"{"storefronts": ["us"]}"#, #"{"locales": ["es"]}"#,
        ])
    func unstated(text: String) throws {
        let target = try target(text)
        #expect(target.ask(.nothingSaid) == .no)
        #expect(target.ask(.nothingKnown) == .residual(target))
    }

    @Test("A residual target has only the conditions on unknown facts, and one failed condition is enough")
    func residual() throws {
        var facts = ClientFacts()
        facts.platform = .said("ios")
        let text = #"{"platforms": ["ios"], "appVersion": ">=3.0", "tags": ["beta"]}"#
        let rest = try target(#"{"appVersion": ">=3.0", "tags": ["beta"]}"#)
        #expect(try target(text).ask(facts) == .residual(rest))
        #expect(try target(text).firstFailure(for: facts) == nil)
        facts.tags = .notSaid
        #expect(try target(text).ask(facts) == .no && target(text).firstFailure(for: facts) == .tags(["beta"]))
        facts.platform = .said("android")
        #expect(try target(text).firstFailure(for: facts) == .platforms(["ios"]))
    }

    @Test("A condition on an experiment asks for the arm, and does not hold on a page without the experiment")
    func experiments() throws {
        let target = try target(#"{"experiment": {"b": ["x", "y"], "a": ["x"]}}"#)
        #expect(target.conditions == [.experiment("a", arms: ["x"]), .experiment("b", arms: ["x", "y"])])
        #expect(target.ask(.nothingKnown, ["a": .said("x"), "b": .said("y")]) == .yes)
        #expect(target.ask(.nothingKnown, ["a": .said("y"), "b": .unknown]) == .no)
        #expect(target.ask(.nothingKnown, ["a": .said("x"), "b": .unknown]) == .residual(Target([.experiment("b", arms: ["x", "y"])])))
        #expect(target.ask(client, ["a": .said("x")]) == .no)
    }

    @Test(
        "A target that a lenient reading does not understand never holds, and is written as such",
        arguments: [
            #"{"weather": ["rain"]}"#, #"{"storefronts": ["us"], "weather": ["rain"]}"#, #"{"platforms": "ios"}"#, #"{"platforms": []}"#,
            #"{"platforms": null}"#, #"{"appVersion": "about 3"}"#, #"{"bucket": {"experiment": "e", "from": 0, "to": 2}}"#,
            #"{"experiment": {"a": []}}"#, #"{"experiment": {"a b": ["x"]}}"#, #"{"experiment": ["a"]}"#, #"{"experiment": {}}"#, "{}",
            "true", "[]",
        ])
    func unreadable(text: String) throws {
        let target = try readLeniently(text)
        #expect(target.ask(client) == .no && target.ask(.nothingKnown) == .no)
        let copy = try readLeniently(String(decoding: try target.json(), as: UTF8.self))
        #expect(copy.ask(.nothingKnown) == .no)
    }

    @Test(
        "A strict reading rejects what it does not understand",
        arguments: [
            #"{"weather": ["rain"]}"#, #"{"platforms": "ios"}"#, #"{"platforms": []}"#, #"{"platforms": null}"#, "true", "{}",
            #"{"experiment": {"a": []}}"#, #"{"experiment": {}}"#, #"{"experiment": {"a b": ["x"]}}"#, #"{"locales": ["English"]}"#,
            #"{"bucket": {"experiment": "e", "from": 0, "to": 2}}"#,
        ])
    func strict(text: String) {
        #expect(throws: JSONError.self) { try target(text) }
    }

    @Test("A target is written as it was read")
    func encoding() throws {
        let text =
            #"{"storefronts":["us"],"locales":["pt-BR"],"platforms":["ios"],"appVersion":">=3","os":"<18","tags":["beta"],"#
            + #""experiment":{"a":["x"],"b":["y","z"]}}"#
        #expect(String(decoding: try readLeniently(text).json(), as: UTF8.self) == text)
    }

    @Test(
        "Versions are compared number by number, without trailing zeros",
        arguments: [
            ("3", "3.0.0", 0), ("3.2", "3.10", -1), ("3.2.1", "3.2", 1), ("0", "0.0.0.0", 0), ("10", "9.9.9.9", 1), ("003", "3", 0),
        ])
    func versions(a: String, b: String, order: Int) throws {
        let (first, second) = (try #require(Version(a)), try #require(Version(b)))
        #expect((first < second) == (order < 0))
        #expect((first == second) == (order == 0))
        #expect((first > second) == (order > 0))
        #expect(Version(first.description) == first)
    }

    @Test("Random versions have the order of their numbers", arguments: Seeds.fixed(2))
    func orders(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func numbers() -> [Int] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in [0, 1, 2, 9, 10, 999_999_999].randomElement(using: &random) ?? 0 }
        }
        for _ in 0..<20_000 {
            let (a, b) = (numbers(), numbers())
            let (first, second) = (a + Array(repeating: 0, count: 4 - a.count), b + Array(repeating: 0, count: 4 - b.count))
            let versions = try [a, b].map { try #require(Version($0.map(String.init).joined(separator: "."))) }
            let isRight =
                (versions[0] < versions[1]) == first.lexicographicallyPrecedes(second) && (versions[0] == versions[1]) == (first == second)
                && Version(versions[0].description) == versions[0]
            try #require(isRight, "\(a) and \(b)")
        }
    }

    @Test(
        "An invalid version is rejected",
        arguments: ["", ".", "3.", ".3", "3..1", "v3", "3.2-beta", "1.2.3.4.5", "1234567890", "-1", "٣", " 3"])
    func noVersion(text: String) {
        #expect(Version(text) == nil)
    }

    @Test(
        "An invalid range of versions is rejected",
        arguments: ["", "3.0", ">3", "<=4", "==3", ">= 3", ">=3  <4", "<4 >=3", ">=3 <3.0", ">=4 <3", ">=3 <4 <5", ">=3,<4", "=3 "])
    func noRange(text: String) {
        #expect(VersionRange(text) == nil)
    }
}

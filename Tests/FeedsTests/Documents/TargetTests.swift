import Feeds
import Items
import JSON
import Testing

@Suite("A target")
struct TargetTests {
    private func target(_ text: String) throws -> Target { try Target(parsing: Array(text.utf8)) }

    private func audience(_ change: (inout Audience) throws -> Void = { _ in }) throws -> Audience {
        var audience = Audience(
            storefront: "us", locale: try #require(LocaleTag("es-MX")), platform: "ios", appVersion: Version("3.1"), os: Version("17.4"),
            tags: ["beta", "staff"], clientID: "client-1")
        try change(&audience)
        return audience
    }

    @Test(
        "A target includes a client only if every condition holds",
        arguments: [
            (#"{"storefronts": ["de", "us"]}"#, true), (#"{"storefronts": ["de"]}"#, false), (#"{"locales": ["es"]}"#, true),
            (#"{"locales": ["es-MX"]}"#, true), (#"{"locales": ["es-ES", "en"]}"#, false), (#"{"platforms": ["ios"]}"#, true),
            (#"{"platforms": ["android"]}"#, false), (#"{"appVersion": ">=3.0"}"#, true), (#"{"appVersion": "<3.1"}"#, false),
            (#"{"os": "=17.4.0"}"#, true), (#"{"os": ">=16 <17.4"}"#, false), (#"{"tags": ["alpha", "beta"]}"#, true),
            (#"{"tags": ["alpha"]}"#, false), (#"{"bucket": {"experiment": "e", "from": 0, "to": 100}}"#, true),
            (#"{"storefronts": ["us"], "platforms": ["ios"], "tags": ["staff"]}"#, true),
            (#"{"storefronts": ["us"], "platforms": ["ios"], "tags": ["alpha"]}"#, false),
        ])
    func conditions(text: String, holds: Bool) throws {
        #expect(try target(text).includes(try audience()) == holds)
    }

    @Test(
        "A condition on a value that the client does not send does not hold",
        arguments: [
            #"{"platforms": ["ios"]}"#, #"{"appVersion": "<9999"}"#, #"{"os": ">=0"}"#, #"{"tags": ["beta"]}"#,
            #"{"bucket": {"experiment": "e", "from": 0, "to": 100}}"#,
        ])
    func unknown(text: String) throws {
        let silent = Audience(storefront: "us", locale: .english)
        #expect(try !target(text).includes(silent))
        #expect(try target(#"{"storefronts": ["us"]}"#).includes(silent))
    }

    @Test("A locale includes its more specific locales, and no others with the same prefix")
    func locales() throws {
        func includes(_ tag: String, _ locale: String) throws -> Bool {
            let locale = try #require(LocaleTag(locale))
            return try target(#"{"locales": ["\#(tag)"]}"#).includes(try audience { $0.locale = locale })
        }
        #expect(try includes("zh", "zh-Hant-TW"))
        #expect(try includes("zh-Hant", "zh-Hant-TW"))
        #expect(try !includes("zh-Hant", "zh-Hans"))
        #expect(try !includes("zh-Hant", "zh"))
        #expect(try !includes("en", "enm"))
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

import EventLoop
import HTTPMessages
import Host
import Items
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The page cache")
struct PageMemoryTests {
    private static func key(_ path: String) throws -> PageCacheKey { try #require(PageCacheKey(try head("GET \(path)").target)) }

    private static let representation = Representation([0x20], type: "application/json", version: "1", effort: .quick)
    private static let response = PageResponse(representation: representation, scope: .public, fields: [], end: nil)

    private static func memory(_ maxBytes: Int = 1_000_000) -> PageMemory {
        let memory = PageMemory(maxBytes: maxBytes)
        memory.show(PublishedState(), isChanged: true)
        return memory
    }

    private func isKnown(_ key: PageCacheKey, _ memory: PageMemory) -> Bool {
        if case .response = memory.find(key) { true } else { false }
    }

    @Test("The cache returns a response only for an equal request")
    func requests() throws {
        let memory = Self.memory()
        let today = "/v1/us/feeds/today?locale=en"
        memory.insert(Self.response, try Self.key(today), of: try #require(memory.generation))
        #expect(isKnown(try Self.key(today), memory))
        for other in [
            try Self.key("/v1/us/feeds/today?locale=es"), try Self.key("/v1/de/feeds/today?locale=en"), try Self.key("/v1/us/feeds/today"),
            try Self.key("\(today)&platform=ios"), try Self.key("\(today)%CC%81"), try Self.key("\(today)&form=personal"),
            try Self.key("/v1/us/feeds/today?localee=n"), try Self.key("/v1/us/feeds/today?locale%3Den"),
            try Self.key("/v1/us/feeds/today%3Flocale=en"),
        ] {
            #expect(!isKnown(other, memory))
        }
        let kelvin = "/v1/us/feeds/today?locale=zh-H%E2%84%AA"
        memory.insert(Self.response, try Self.key("/v1/us/feeds/today?locale=zh-HK"), of: try #require(memory.generation))
        #expect(!isKnown(try Self.key(kelvin), memory), "equal strings with other bytes are another request")
        #expect(PageCacheKey(try head("GET /?q=\(String(repeating: "a", count: 2_000))").target) == nil)
    }

    @Test("The responses of a plan are found only in its generation, and by their own variant")
    func plans() throws {
        let memory = Self.memory()
        let url = try Self.key("/v1/us/feeds")
        let before = try #require(memory.generation)
        let storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        let plan = PagePlan(storefront, locale: nil, nil, before.languages)
        let english = PageVariantKey(url: url, variant: plan.variant(try head("GET /v1/us/feeds", ["Accept-Language: fr"]).fields))
        let french = PageVariantKey(url: url, variant: .locale(try #require(LocaleTag("fr"))))
        #expect(english.variant == .locale(.english))
        memory.insert(plan, url, of: before)
        memory.insert(Self.response, english, of: before)
        guard case .plan(let found, let number) = memory.find(url) else {
            Issue.record("the plan is not stored")
            return
        }
        #expect(found === plan && memory.find(english, of: number) != nil && memory.find(french, of: number) == nil)
        memory.show(PublishedState(), isChanged: true)
        let after = try #require(memory.generation)
        #expect(memory.find(english, of: before.number) == nil && memory.find(english, of: after.number) == nil && memory.variantCount == 0)
        guard case .nothing = memory.find(url) else {
            Issue.record("the plan of another state is stored")
            return
        }
        memory.insert(plan, url, of: before)
        memory.insert(Self.response, english, of: before)
        memory.insert(Self.response, french, of: after)
        #expect(memory.find(english, of: after.number) == nil && memory.find(french, of: after.number) != nil)
        #expect(memory.find(french, of: before.number) == nil)
    }

    @Test("Remembered languages choose the same locale as the storefront")
    func languages() throws {
        let locales = try ["en", "es-MX", "zh-Hant-HK", "de-AT", "pt-BR"].map { try #require(LocaleTag($0)) }
        let tags = ["en", "EN-gb", "es", "es-419", "zh-hk", "zh", "de", "pt-PT", "x-1", "fr", "*", "de-CH-1996"]
        var random = SeededRandom(seed: Seeds.fresh)
        let memory = LanguageMemory()
        for _ in 0..<2_000 {
            let first = Int.random(in: 0..<locales.count, using: &random)
            let storefront = Storefront(
                key: "s\(first)", currency: "USD", timeZone: "UTC", locales: Array(locales[first...]), defaultLocale: locales[first])
            let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                "\(tags.randomElement(using: &random) ?? "");q=0.\(Int.random(in: 0...9, using: &random))"
            }
            let fields = try head("GET /", ["Accept-Language: \(list.joined(separator: ", "))"]).fields
            let languages = AcceptedLanguages(fields)
            #expect(memory.locale(for: languages, in: storefront) == storefront.locale(for: languages.tags), "\(list)")
            let value = Array(list.joined(separator: ", ").utf8)
            #expect(AcceptedLanguages(value.span) == languages, "\(list)")
        }
    }

    @Test("A changed state drops every response and rejects responses of the previous state")
    func generations() throws {
        let memory = Self.memory()
        let requested = try Self.key("/v1/us/feeds/today")
        let key = PageList.Key(storefront: "us", locale: "en")
        let before = try #require(memory.generation)
        memory.insert(Self.response, requested, of: before)
        memory.insert(PageList(representation: Self.representation), key, of: before)
        #expect(isKnown(requested, memory) && memory.list(key, of: before) != nil)
        memory.show(PublishedState(), isChanged: true)
        let after = try #require(memory.generation)
        #expect(!isKnown(requested, memory) && memory.list(key, of: before) == nil && memory.list(key, of: after) == nil)
        memory.insert(Self.response, requested, of: before)
        memory.insert(PageList(representation: Self.representation), key, of: before)
        #expect(!isKnown(requested, memory) && memory.list(key, of: after) == nil)
        memory.insert(Self.response, requested, of: after)
        #expect(isKnown(requested, memory))
        // A state without visible changes only updates its clock.
        memory.show(PublishedState(clockAhead: .seconds(1)), isChanged: false)
        #expect(isKnown(requested, memory) && memory.publishedState?.clockAhead == .seconds(1))
    }

    @Test("Each state that is shown ends the repetition of all responses from before")
    func repetition() throws {
        let memory = Self.memory()
        let requested = try Self.key("/v1/us/feeds/today")
        for isChanged in [true, false] {
            let before = try #require(memory.generation)
            memory.insert(Self.response, requested, of: before)
            guard case .response(_, let basis)? = memory.find(requested) else {
                Issue.record("the response is not known")
                return
            }
            #expect(basis.content == before.basis.content && basis.content == memory.content.current)
            memory.show(PublishedState(clockAhead: .seconds(1)), isChanged: isChanged)
            #expect(basis.content < memory.content.current)
            #expect(memory.generation?.basis.content == memory.content.current)
        }
    }

    @Test("A state, its response and its number of the content are read together, while other states are shown", .onOwnThread)
    func race() async throws {
        let memory = Self.memory()
        let url = try Self.key("/v1/us/feeds")
        let base = memory.content.current
        let isDone = Locked(false)
        let loop = try EventLoop(name: "states")
        let showing = Task(executorPreference: loop) {
            for number in 1... {
                if isDone.withLock({ $0 }) { return }
                memory.show(PublishedState(clockAhead: .seconds(number)), isChanged: true)
            }
        }
        var seen: Set<UInt64> = []
        var found = 0
        while seen.count < 200 || found < 20 {
            guard let generation = memory.generation else { break }
            let number = generation.basis.clockAhead.components.seconds
            let field = ResponseField("x-number", "\(number)")
            let response = PageResponse(representation: Self.representation, scope: .public, fields: [field], end: nil)
            memory.insert(response, url, of: generation)
            var isOfState = generation.publishedState.clockAhead == .seconds(number) && generation.basis.content == base + UInt64(number)
            if case .response(let stored, let basis)? = memory.find(url) {
                found += 1
                let number = basis.clockAhead.components.seconds
                isOfState = isOfState && stored.fields.first?.value == "\(number)" && basis.content == base + UInt64(number)
            }
            guard isOfState else {
                Issue.record("the number \(generation.basis.content - base) of the content was read with the state \(number)")
                break
            }
            seen.insert(generation.basis.content)
        }
        isDone.withLock { $0 = true }
        await showing.value
        await loop.stop()
    }

    @Test("Frequent requests stay in the cache among any number of others")
    func room() throws {
        let memory = Self.memory(10_000)
        let often = try Self.key("/v1/us/feeds/today")
        let generation = try #require(memory.generation)
        memory.insert(Self.response, often, of: generation)
        let others = try (0..<50).map { try Self.key("/v1/us/feeds/\($0)") }
        for other in others {
            memory.insert(Self.response, other, of: generation)
            #expect(isKnown(often, memory) && isKnown(other, memory))
        }
        #expect(others.count { isKnown($0, memory) } == 8)
    }
}

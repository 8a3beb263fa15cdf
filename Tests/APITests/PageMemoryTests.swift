import HTTPMessages
import Testing

@testable import API
@testable import HTTP

@Suite("The page cache")
struct PageMemoryTests {
    private static func key(_ line: String, _ fields: String...) throws -> PageCacheKey {
        try #require(PageCacheKey(try head("GET \(line)", fields)))
    }

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
        memory.insert(Self.response, try Self.key(today, "Vitrine-Client: a"), of: try #require(memory.generation))
        for same in [
            try Self.key(today), try Self.key(today, "Accept-Language: a", "Vitrine-Client: b", "Vitrine-Layout: c", "Accept: */*"),
        ] {
            #expect(isKnown(same, memory))
        }
        for other in [
            try Self.key("/v1/us/feeds/today?locale=es"), try Self.key("/v1/de/feeds/today?locale=en"), try Self.key("/v1/us/feeds/today"),
            try Self.key("\(today)&platform=ios"), try Self.key("\(today)%CC%81"),
        ] {
            #expect(!isKnown(other, memory))
        }
        let kelvin = "/v1/us/feeds/today?locale=zh-H%E2%84%AA"
        memory.insert(Self.response, try Self.key("/v1/us/feeds/today?locale=zh-HK"), of: try #require(memory.generation))
        #expect(!isKnown(try Self.key(kelvin), memory), "equal strings with other bytes are another request")
        #expect(PageCacheKey(try head("GET \(today)&form=personal", [])) == nil)
        #expect(PageCacheKey(try head("GET /", ["Accept-Language: " + String(repeating: "a", count: 2_000)])) == nil)
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

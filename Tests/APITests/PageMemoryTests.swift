import HTTPMessages
import Testing

@testable import API
@testable import HTTP

@Suite("The page cache")
struct PageMemoryTests {
    private static func question(_ line: String, _ fields: String...) throws -> PageCacheKey {
        try #require(PageCacheKey(try head("GET \(line)", fields)))
    }

    private static let representation = Representation([0x20], type: "application/json", version: "1", effort: .quick)
    private static let answer = PageResponse(representation: representation, fields: [], end: nil)

    private static func memory(_ maxBytes: Int = 1_000_000) -> PageMemory {
        let memory = PageMemory(maxBytes: maxBytes)
        memory.show(PublishedState(), isChanged: true)
        return memory
    }

    private func isKnown(_ question: PageCacheKey, _ memory: PageMemory) -> Bool {
        if case .answer = memory.find(question) { true } else { false }
    }

    @Test("The cache returns a response only for an equal request")
    func questions() throws {
        let memory = Self.memory()
        let asked = try Self.question("/v1/us/feeds/today?locale=en", "Vitrine-Client: a", "Accept: text/html")
        memory.insert(Self.answer, asked, of: try #require(memory.generation))
        #expect(isKnown(try Self.question("/v1/us/feeds/today?locale=en", "Accept: */*", "Vitrine-Client: a"), memory))
        for other in [
            try Self.question("/v1/us/feeds/today?locale=en"), try Self.question("/v1/us/feeds/today?locale=es", "Vitrine-Client: a"),
            try Self.question("/v1/de/feeds/today?locale=en", "Vitrine-Client: a"),
            try Self.question("/v1/us/feeds/today?locale=en", "Vitrine-Layout: a"),
            try Self.question("/v1/us/feeds/today?locale=en", "Accept-Language: a"),
            try Self.question("/v1/us/feeds/today?locale=en", "Vitrine-Client: a", "Vitrine-Client: a"),
        ] {
            #expect(!isKnown(other, memory))
        }
        #expect(PageCacheKey(try head("GET /", ["Vitrine-Client: " + String(repeating: "a", count: 2_000)])) == nil)
    }

    @Test("A changed state drops every response and rejects responses of the previous state")
    func generations() throws {
        let memory = Self.memory()
        let asked = try Self.question("/v1/us/feeds/today")
        let key = PageList.Key(storefront: "us", locale: "en")
        let before = try #require(memory.generation)
        memory.insert(Self.answer, asked, of: before)
        memory.insert(PageList(representation: Self.representation), key, of: before)
        #expect(isKnown(asked, memory) && memory.list(key, of: before) != nil)
        memory.show(PublishedState(), isChanged: true)
        let after = try #require(memory.generation)
        #expect(!isKnown(asked, memory) && memory.list(key, of: before) == nil && memory.list(key, of: after) == nil)
        memory.insert(Self.answer, asked, of: before)
        memory.insert(PageList(representation: Self.representation), key, of: before)
        #expect(!isKnown(asked, memory) && memory.list(key, of: after) == nil)
        memory.insert(Self.answer, asked, of: after)
        #expect(isKnown(asked, memory))
        // A state without visible changes only updates its clock.
        memory.show(PublishedState(clockAhead: .seconds(1)), isChanged: false)
        #expect(isKnown(asked, memory) && memory.shelf?.clockAhead == .seconds(1))
    }

    @Test("Frequent requests stay in the cache among any number of others")
    func room() throws {
        let memory = Self.memory(10_000)
        let often = try Self.question("/v1/us/feeds/today")
        let generation = try #require(memory.generation)
        memory.insert(Self.answer, often, of: generation)
        let others = try (0..<50).map { try Self.question("/v1/us/feeds/\($0)") }
        for other in others {
            memory.insert(Self.answer, other, of: generation)
            #expect(isKnown(often, memory) && isKnown(other, memory))
        }
        #expect(others.count { isKnown($0, memory) } == 8)
    }
}

import Testing

@testable import API

@Suite("The segmented cache")
struct SegmentedCacheTests {
    @Test("A value that was used again outlives any number of new values")
    func retained() {
        var cache = SegmentedCache<Int, String>(limit: 8)
        cache.insert("kept", 0, size: 2)
        #expect(cache.value(of: 0) == "kept")
        for number in 1...100 { cache.insert("new", number, size: 1) }
        #expect(cache.value(of: 0) == "kept" && cache.value(of: 98) == nil && cache.value(of: 99) == "new" && cache.value(of: 100) == "new")
    }

    @Test("Values that are used again evict the least recently used one of them, and the size stays within the limit")
    func limit() {
        var cache = SegmentedCache<Int, String>(limit: 8)
        for number in 0..<7 {
            cache.insert("value", number, size: 1)
            #expect(cache.value(of: number) == "value" && cache.size <= 8)
        }
        #expect(cache.value(of: 0) == nil && (1..<7).allSatisfy { cache.value(of: $0) == "value" })
    }

    @Test("A value that is larger than the space for new ones is not cached")
    func large() {
        var cache = SegmentedCache<Int, String>(limit: 8)
        cache.insert("large", 0, size: 3)
        #expect(cache.value(of: 0) == nil && cache.size == 0)
    }

    @Test("Inserting a retained value again keeps the retained one")
    func twice() {
        var cache = SegmentedCache<Int, String>(limit: 8)
        cache.insert("first", 0, size: 1)
        _ = cache.value(of: 0)
        cache.insert("second", 0, size: 1)
        #expect(cache.value(of: 0) == "first" && cache.size == 1)
    }
}

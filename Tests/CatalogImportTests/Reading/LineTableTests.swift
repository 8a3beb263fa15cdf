import JSON
import Security
import TestSupport
import Testing
import Values

@testable import CatalogImport

@Suite("The known lines") struct LineTableTests {
    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) } }
    }

    @Test("A table finds each of its lines and no other, although their slots are next to each other", arguments: [0, 1, 2, 7, 1_000])
    func table(count: Int) {
        var random = SeededRandom(seed: Seeds.fresh)
        var table = LineTable(words: 2, for: count)
        var lines: [LineHash: [UInt64]] = [:]
        while lines.count < count {
            // Half of them belong to the last slot, after which the search continues at the first one.
            let high =
                Bool.random(using: &random)
                ? UInt64.max - UInt64.random(in: 0...4, using: &random) * 2 : UInt64.random(in: .min ... .max, using: &random)
            lines[LineHash(high: high | 1, low: .random(in: .min ... .max, using: &random))] = [
                .random(in: .min ... .max, using: &random), .random(in: .min ... .max, using: &random),
            ]
        }
        table.insert(lines.flatMap { Self.bytes([$0.key.high, $0.key.low] + $0.value) })
        for (hash, words) in lines {
            #expect(table.words(of: hash).map(Array.init) == words, "seed \(Seeds.fresh)")
            #expect(table.words(of: LineHash(high: hash.high, low: ~hash.low)) == nil)
            #expect(table.words(of: LineHash(high: ~hash.high | 1, low: hash.low)) == nil)
        }
    }

    @Test("Lines beyond the size of a table are left out, and a search still ends")
    func room() {
        var table = LineTable(words: 2, for: 3)
        table.insert((1...64).flatMap { Self.bytes([$0 << 40, $0, $0, $0]) })
        let found = (UInt64(1)...64).filter { table.words(of: LineHash(high: $0 << 40, low: $0)) != nil }
        #expect(found == [1, 2, 3])
        #expect(table.words(of: LineHash(high: 1, low: 1)) == nil)
    }

    @Test("The names of an item are read as they were stored")
    func names() throws {
        let id = "6f1c7d1e-0000-4000-8000-000000000001"
        for (record, size) in [
            (Records.topApp, 32), (Records.foodApp, 32), (Records.topApp("\"harbor-notes\"", "\"Harbor Notes!\""), 32),
            (Records.topApp("\"harbor-notes\"", "\"a\",\"slug\":\"b\",\"serialNumber\":7"), 56),
            (Records.foodApp("\"saffron-table\"", "\"a\",\"id\":\"\(id)\""), 56),
            (
                Records.topApp(
                    "\"harbor-notes\"", "\"a\",\"id\":\"00000000-0000-0000-0000-000000000000\",\"serialNumber\":9007199254740991"), 56
            ),
        ] {
            let item = try #require(ReadFile(record).items.first)
            let line = try #require(item.storedLine)
            #expect(line.count == size)
            var known = KnownLines(LineSnapshot(text: "", time: ""), shortLines: 1, longLines: 1)
            known.insert(shortLines: size == 32 ? line : [], longLines: size == 32 ? [] : line)
            #expect(known.names(of: try #require(item.lineHash)) == item.names)
        }
    }

    @Test("An item without an explicit slug has the name of its source, and another one with that slug has the same name")
    func slugs() throws {
        let items = ReadFile(Records.topApp + "\n" + Records.topApp("\"harbor-notes\"", "\"x\",\"slug\":\"harbor-notes\"")).rejects
        #expect(items.map(\.location) == [.pointer("/slug")])
    }

    @Test("A line has another hash under other rules, and another order of the time zones is the same rule")
    func rules() throws {
        func hash(_ zones: Set<String>?, _ record: String = Records.topApp) throws -> LineHash? {
            var vocabulary = ReadFile.vocabulary
            vocabulary.timeZones = zones
            return try #require(ReadFile(record, vocabulary: vocabulary).items.first).lineHash
        }
        let hashes = try [hash(nil), hash([]), hash(["UTC"]), hash(["UTC", "Asia/Tokyo"]), hash(["UTC"], Records.topApp + " ")]
        #expect(Set(hashes).count == hashes.count)
        #expect(try hash(["Asia/Tokyo", "UTC"]) == hashes[3])
    }

    private static func items() throws -> [PreparedItem] {
        let records = [
            Records.topApp, Records.foodApp, Records.illustratedApp, Records.discountedApp, Records.discountedFoodApp,
            Records.topApp("\"ageRating\":\"4+\"", "\"ageRatings\":{\"pegi\":\"7\",\"apple-2015\":\"9+\"},\"tags\":[\"b\",\"a\"]"),
            Records.topApp("[\"ios\",\"ipados\"]", "{\"linux\":{},\"ios\":{\"minimumOsVersion\":\"16.2\"}}"),
            Records.foodApp("\"priceBand\":2", "\"priceBand\":2,\"timeZone\":\"Asia/Riyadh\",\"dietaryTags\":[\"halal\"]"),
        ]
        let items = records.flatMap { ReadFile($0).items }
        try #require(items.count == records.count)
        return items
    }

    /// If this test fails, the results of the reader are others than before. Increase `LineHash.readerVersion`, or else imports skip
    /// lines that they would read as other items. Then record the golden again.
    @Test("The version of the reader is that of its results")
    func readerVersion() throws {
        let items = try Self.items()
        let hashes = try items.map { "\($0.record.source) \(Digest.tag(of: Digest.sha256(try $0.record.json())))\n" }.joined()
        let text = "version \(LineHash.readerVersion)\n\(hashes)"
        #expect(try Golden("reader-version.txt").text(recording: text) == text)
    }

    /// If this test fails, the next import writes all items once more. If stored values are others than before, also increase
    /// `LineHash.readerVersion`. Then add a note about upgrades to the changelog, and record the golden again.
    @Test("The hash of an item's content is the same as in earlier versions")
    func contentHashes() throws {
        let text = try Self.items().map { "\($0.source) \(Digest.tag(of: $0.contentHash))\n" }.joined()
        #expect(try Golden("content-hashes.txt").text(recording: text) == text)
    }
}

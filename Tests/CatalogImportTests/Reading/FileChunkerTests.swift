import CatalogImport
import Security
import TestSupport
import Testing

@Suite("A file in chunks")
struct FileChunkerTests {
    private static let text = Catalog.file + Catalog.items(0..<20) + "{\n" + Catalog.items(20..<25)

    /// A file in pieces, which fails after some of them.
    private final class Pieces {
        private var rest: [ArraySlice<UInt8>]
        private let fails: Bool
        private(set) var count = 0

        struct Failure: Error {}

        init(_ text: String, size: Int = 400, first: Int = .max) {
            let bytes = Array(text.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            rest = Array(pieces.prefix(first))
            fails = first < pieces.count
        }

        func next() throws -> ArraySlice<UInt8> {
            count += 1
            if rest.isEmpty, fails { throw Failure() }
            return rest.isEmpty ? [] : rest.removeFirst()
        }
    }

    /// Returns a chunker of a long file. Its lines are available after a number of pieces.
    private static func chunker(_ pieces: Pieces, linesAfter count: Int) -> FileChunker {
        FileChunker(
            CatalogFileReader(.jsonl, digest: Digest.sha256), size: 4, isLongFile: true,
            catalog: CatalogSource(
                context: { CatalogContext(ReadFile.vocabulary, hasLines: true) }, hasLines: { pieces.count >= count }, lines: { nil }),
            read: pieces.next)
    }

    private static func summary(_ chunk: FileChunk) -> String {
        "\(chunk.items.map(\.source)) \(chunk.storefronts.count) \(chunk.categories.count) \(chunk.charts.count) \(chunk.rejects) "
            + "\(chunk.bytesRead) \(chunk.ending.map { $0.kinds.count } ?? -1)"
    }

    @Test("A long file asks for lines before it is read, and has the chunks of any other file", arguments: [0, 1, 9, 1_000])
    func ahead(count: Int) throws {
        let pieces = Pieces(Self.text)
        var plain = FileChunker(
            CatalogFileReader(.jsonl, vocabulary: ReadFile.vocabulary, digest: Digest.sha256), size: 4, read: pieces.next)
        var expected: [String] = []
        while let chunk = try plain.next() { expected.append(Self.summary(chunk)) }
        #expect(expected.count > 6)
        let again = Pieces(Self.text)
        var chunker = Self.chunker(again, linesAfter: count)
        let first = try #require(try chunker.next())
        #expect(first.asksForLines && first.items.isEmpty && again.count == 0)
        let second = try #require(try chunker.next())
        #expect(again.count >= min(count, pieces.count))
        var chunks = [Self.summary(second)]
        while let chunk = try chunker.next() { chunks.append(Self.summary(chunk)) }
        #expect(chunks == expected && again.count == pieces.count)
    }

    @Test("An error while a file is split ahead is thrown after the chunks before it", arguments: [0, 1_000])
    func failure(count: Int) throws {
        var chunker = Self.chunker(Pieces(Self.text, first: 20), linesAfter: count)
        var items = 0
        #expect(throws: Pieces.Failure.self) { while let chunk = try chunker.next() { items += chunk.items.count } }
        #expect(items >= 4)
    }

    @Test(
        "At most 32 MiB of memory are split ahead, while the lines are not available, also of short records",
        arguments: [(65_535, 300...500), (2, 5...20)])
    func bounded(length: Int, pieces: ClosedRange<Int>) throws {
        let line = String(repeating: "1", count: length) + "\n"
        let piece = Array(String(repeating: line, count: 65_536 / line.utf8.count).utf8)
        var count = 0
        var countBeforeLines = 0
        var chunker = FileChunker(
            CatalogFileReader(.jsonl, digest: Digest.sha256), size: 4, isLongFile: true,
            catalog: CatalogSource(
                context: {
                    countBeforeLines = count
                    return nil
                }, hasLines: { false }, lines: { nil })
        ) {
            count += 1
            return count > pieces.upperBound + 100 ? [] : piece[...]
        }
        while try chunker.next() != nil {}
        #expect(pieces.contains(countBeforeLines), "\(countBeforeLines)")
    }

    @Test("A file without a catalog has no chunks")
    func withoutCatalog() throws {
        var chunker = FileChunker(
            CatalogFileReader(.jsonl, digest: Digest.sha256), size: 4,
            catalog: CatalogSource(context: { nil }, hasLines: { true }, lines: { nil })
        ) { [] }
        for _ in 0..<2 {
            let chunk = try chunker.next()
            #expect(chunk == nil)
        }
    }
}

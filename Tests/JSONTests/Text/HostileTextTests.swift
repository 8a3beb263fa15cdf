import Glibc
import JSON
import Testing

@Suite("Hostile text")
struct HostileTextTests {
    /// A kind of text for which a naive parser takes more than linear time.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: @Sendable (Int) -> String

        static let all: [Shape] = [
            Shape(testDescription: "many keys") { size in "{" + (0..<size / 10).map { "\"k\($0)\":0" }.joined(separator: ",") + "}" },
            Shape(testDescription: "many keys that begin alike") { size in
                "{" + (0..<size / 60).map { "\"\(String(repeating: "a", count: 50))\($0)\":0" }.joined(separator: ",") + "}"
            },
            Shape(testDescription: "many escaped keys") { size in
                "{" + (0..<size / 15).map { "\"\\u0061\($0)\":0" }.joined(separator: ",") + "}"
            },
            Shape(testDescription: "many objects") { size in
                "[" + Array(repeating: #"{"a":{"b":{}}}"#, count: size / 15).joined(separator: ",") + "]"
            },
            Shape(testDescription: "deep nesting") { size in
                "["
                    + Array(repeating: String(repeating: "[", count: 400) + String(repeating: "]", count: 400), count: size / 800).joined(
                        separator: ",") + "]"
            },
            Shape(testDescription: "a key of combining marks") { size in "{\"\(String(repeating: "\u{301}\u{316}", count: size / 4))\":0}"
            },
            Shape(testDescription: "keys of combining marks") { size in
                let marks = String(repeating: "\u{301}\u{316}", count: 25)
                return "{" + (0..<size / 110).map { "\"\(marks)\($0)\":0" }.joined(separator: ",") + "}"
            },
            Shape(testDescription: "a string of combining marks") { size in "\"\(String(repeating: "\u{301}\u{316}", count: size / 4))\"" },
            Shape(testDescription: "a string of escapes") { size in "\"\(String(repeating: "\\n", count: size / 2))\"" },
            Shape(testDescription: "a string of surrogate pairs") { size in "\"\(String(repeating: "\\ud83d\\ude00", count: size / 12))\""
            },
            Shape(testDescription: "whitespace") { size in String(repeating: " \n", count: size / 2) + "0" },
            Shape(testDescription: "a long number") { size in String(repeating: "9", count: size) },
            Shape(testDescription: "numbers of many digits") { size in
                "[" + Array(repeating: String(repeating: "7", count: 120), count: size / 121).joined(separator: ",") + "]"
            },
            Shape(testDescription: "brackets that are never closed") { size in String(repeating: "[", count: size) },
            Shape(testDescription: "a mistake at the end") { size in "[" + String(repeating: "\"é\",", count: size / 5) + "x" },
        ]
    }

    @Test("A text of twice the size takes about twice the time", .serialized, arguments: Shape.all)
    func linear(_ shape: Shape) {
        let once = Array(shape.text(20_000).utf8)
        let twice = Array(shape.text(40_000).utf8)
        let ratios = (0..<5).lazy.map { _ in fastest(twice) / fastest(once) }
        #expect(ratios.contains { $0 <= 3 })
    }

    /// Returns the minimum time of several runs of parsing, decoding, reporting and writing untrusted text.
    ///
    /// Counts the processor time of this thread only, so that other tests and programs do not add to it.
    private func fastest(_ source: [UInt8]) -> Double {
        (0..<3).map { _ in
            let start = computed
            use(source)
            return computed - start
        }.min() ?? 1
    }

    /// The processor time of this thread in nanoseconds.
    private var computed: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private func use(_ source: [UInt8]) {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: source, limits: .ownOutput)
            _ = document.root.canonical()
            _ = JSONValue(document.root)
            _ = try document.decode(Shelf.self)
        } catch {
            _ = error.description
        }
    }

    @Test("A document with random changed bytes is either parsed or rejected with an error", arguments: 0..<64 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        let original = try random.document().json(seed % 2 == 0 ? .compact : .pretty)
        for _ in 0..<60 {
            var source = original
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&source, &random) }
            do throws(JSONError) {
                let document = try JSONDocument(parsing: source)
                let canonical = document.root.canonical()
                #expect(try JSONDocument(parsing: canonical, limits: .ownOutput).root.canonical() == canonical, "seed \(seed)")
                _ = try document.decode(Shelf.self)
            } catch {
                #expect(!error.description.isEmpty, "seed \(seed)")
            }
        }
    }

    private func mutate(_ source: inout [UInt8], _ random: inout RandomDocuments) {
        let tokens = ["\"", "\\", "\\u", "{", "}", "[", "]", ",", ":", "-", "1e999", "\\ud83d", "\0", "null", "0", "\u{FEFF}", "\n"]
        let index = Int.random(in: 0...source.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where index < source.count: source[index] = UInt8.random(in: 0...255, using: &random)
        case 1 where index < source.count: source.removeSubrange(index..<min(source.count, index + 3))
        case 2: source.removeLast(min(source.count, Int.random(in: 0...8, using: &random)))
        default: source.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &random)].utf8, at: index)
        }
    }

    @Test("Every proper prefix of a document is rejected without a crash")
    func prefixes() throws {
        let source = Array(#"{"a":[1,-2.5e+3,"\ud83d\ude00é😀",true,null],"b":{"c":"\n"}}"#.utf8)
        for length in 0..<source.count {
            #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(source.prefix(length))) }
        }
    }

    @Test("100,000 unknown keys are counted, and 100 of them are listed")
    func unknownKeys() throws {
        let text = "{\"id\":\"a\"," + (0..<100_000).map { "\"ib\($0)\":0" }.joined(separator: ",") + "}"
        let error = try #require(throws: JSONError.self) { try Shelf.Item(parsing: Array(text.utf8), limits: .ownOutput) }
        #expect(error.issues.count == 100)
        #expect(error.omitted == 99_900)
    }
}

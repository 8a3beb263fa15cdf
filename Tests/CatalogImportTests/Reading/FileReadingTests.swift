import CatalogImport
import Items
import JSON
import TestSupport
import Testing

@Suite("A catalog file") struct FileReadingTests {
    private static let csv = """
        kind,source,title.en,title.ar,subtitle,categories,rating.average,rating.count,bundleId,developer,appVersion,sizeBytes,platforms,ageRating,releaseDate,prices.us.amountMinor,prices.us.currency,brand,cuisines,deliveryMinutes.from,deliveryMinutes.to,priceBand,openingHours,availability.de,deliveryFee.de.amountMinor,deliveryFee.de.currency\r
        topApp,harbor-notes,Harbor Notes,ملاحظات,"Write by the sea",productivity,4.256,12,org.example.harbor,Harbor,1.2,1024,ios|ipados,4+,2024-02-29,499,USD,,,,,,,,,\r
        foodApp,saffron-table,"Saffron Table",,,arabic,,,,,,,,,,,,Saffron,persian,20,35,2,"mon,sun 18:00-02:00",2026-01-01T00:00:00Z/,199,EUR\r

        """

    @Test("CSV and JSON Lines have the same content")
    func formats() throws {
        let csv = ReadFile(Self.csv, as: .csv)
        let json = ReadFile(Records.topApp + "\n" + Records.foodApp)
        #expect(csv.rejects == [])
        #expect(csv.items.map(\.record) == json.items.map(\.record))
        #expect(csv.items.map(\.contentHash) == json.items.map(\.contentHash))
        #expect(csv.items.map(\.line) == [2, 3])
    }

    @Test(
        "The format follows from the file name or the first bytes",
        arguments: [
            ("a.jsonl", "", FileFormat.jsonl), ("a.NDJSON", "x", .jsonl), ("b.csv", "{", .csv), ("-", " \n{\"kind\"", .jsonl),
            ("-", "kind,source", .csv),
            ("dump", "\u{FEFF}kind", .csv), ("dump", "[{", .jsonl), ("dump", "", .jsonl),
        ])
    func guesses(name: String, start: String, format: FileFormat) {
        #expect(FileFormat.guess(name: name, start: start.utf8) == format)
    }

    @Test("A file has the same records for any division into pieces")
    func pieces() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        let jsonl = Array((Records.topApp + "\r\n\n  \n" + Records.foodApp + "\n{\"x\n" + Records.topApp("harbor-notes", "é")).utf8)
        for (bytes, format) in [(jsonl, FileFormat.jsonl), (Array(Self.csv.utf8), .csv), (Array(Self.apt.utf8), .apt)] {
            let whole = ReadFile(bytes, as: format).lines
            for _ in 0..<50 {
                let cut = ReadFile(bytes, as: format, pieces: { Int.random(in: 1...min(40, $0), using: &random) }).lines
                #expect(cut == whole, "seed \(seed)")
            }
        }
    }

    @Test("A file with random damage is parsed to its end, and its undamaged records are unchanged")
    func damage() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        let lines = (0..<20).map { Records.topApp("harbor-notes", "item-\($0)") }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        // The result omits the line number, which changes if a line is split in two.
        func items(_ bytes: [UInt8]) -> Set<String> { Set(ReadFile(bytes).items.map { "\($0.id) \($0.contentHash)" }) }
        let right = items(text)
        for _ in 0..<300 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: damaged.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged[index] = UInt8.random(in: .min ... .max, using: &random)
                case 1: damaged.remove(at: index)
                case 2: damaged.insert([0, 0xFF, 0x22, 0x5C, 0x0A].randomElement(using: &random) ?? 0, at: index)
                default: damaged.removeSubrange(index..<min(damaged.count, index + 200))
                }
            }
            let file = ReadFile(damaged)
            // Each damage affects at most two records, and may give one of them the name of a third.
            #expect(items(damaged).intersection(right).count >= 20 - 3 * 3, "seed \(seed)")
            #expect(file.rejects.allSatisfy { $0.line >= 1 && $0.line <= 30 }, "seed \(seed)")
            for format in [FileFormat.csv, .apt] { _ = ReadFile(damaged, as: format) }
        }
    }

    @Test("Invalid UTF-8 and an overlong line are rejected, and the following lines are parsed")
    func bytes() throws {
        var text = Array(Records.topApp("harbor-notes", "a").utf8)
        text += [0x0A] + Array("{\"kind\":\"".utf8) + [0xC3, 0x28, 0x22, 0x7D, 0x0A]
        text += Array("{\"kind\":\"\(String(repeating: "x", count: 5_000))\"}\n".utf8) + Array(Records.topApp("harbor-notes", "b").utf8)
        let file = ReadFile(text, limits: FileLimits(record: 2_000))
        #expect(file.rejects.map { "\($0.line) \($0.code.rawValue)" } == ["2 NOT_UTF8", "3 TOO_LARGE"])
        #expect(file.items.map(\.line) == [1, 4])
    }

    @Test("A file may start with a byte order mark")
    func byteOrderMark() {
        #expect(ReadFile("\u{FEFF}" + Records.topApp).items.count == 1)
        #expect(ReadFile("\u{FEFF}" + Self.csv, as: .csv).items.count == 2)
        #expect(ReadFile(("\u{FEFF}" + Self.csv).utf8, as: .csv, pieces: { _ in 1 }).items.count == 2)
        #expect(ReadFile([0xEF], as: .csv).rejects.count == 1)
    }

    @Test("A quoted CSV field may contain quotation marks, commas and line breaks")
    func quotes() {
        let file = ReadFile(
            "kind,key,title.en\ncategory,a,\"Say \"\"hi\"\", all\"\n\"category\",b,\"\"\"\"\r\ncategory,c,\"x\ny\"\n", as: .csv)
        #expect(
            file.lines == [
                "2 category a", "3 category b",
                "line 4 (title.en): expected 1 to 200 characters, not only spaces, without control characters [INVALID_FORMAT]",
            ])
    }

    @Test(
        "An invalid CSV row is rejected, and the next one is parsed",
        arguments: [
            ("category,a", "expected 3 fields, found 2"), ("category,a,b,c", "expected 3 fields, found 4"),
            ("category,a\"b,c", "an unquoted field contains a quotation mark"),
            ("category,\"a\"b,c", "text follows the closing quotation mark of a field"),
        ])
    func rows(row: String, reason: String) {
        let file = ReadFile("kind,key,title\n\(row)\ncategory,next,Next\n", as: .csv)
        #expect(file.lines == ["line 2: \(reason) [INVALID_RECORD]", "3 category next"])
    }

    @Test("A CSV row can state that an item is available nowhere")
    func nowhere() {
        let header = "kind,source,title,categories,brand,cuisines,deliveryMinutes.from,deliveryMinutes.to,priceBand,availability"
        let rows = ["nowhere", "", "everywhere"].map { "foodApp,\($0.isEmpty ? "all" : $0),A,arabic,A,a,1,2,1,\($0)" }
        let file = ReadFile(([header] + rows).joined(separator: "\n"), as: .csv)
        #expect(file.items.map(\.record.content.availability) == [.within([]), .everywhere])
        #expect(file.rejects.map { "\($0.line) \($0.location) \($0.code.rawValue)" } == ["4 column(\"availability\") INVALID_TYPE"])
    }

    @Test("A CSV row with an unclosed quotation mark is rejected at the end of the file or at its limit")
    func unended() {
        let file = ReadFile("kind,key,title\ncategory,a,\"A\ncategory,b,B\n", as: .csv)
        #expect(file.lines == ["line 2: a quoted field has no closing quotation mark [INVALID_RECORD]"])
        let long = "kind,key,title\ncategory,a,\"A\n" + String(repeating: "category,b,B\n", count: 20)
        let limited = ReadFile(long, as: .csv, limits: FileLimits(record: 100))
        #expect(limited.lines.first == "line 2: the row has more than 100 bytes; check for a missing quotation mark [INVALID_RECORD]")
        #expect(limited.lines.count > 5)
    }

    @Test(
        "A CSV file with an invalid header is rejected as a whole",
        arguments: [
            ("kind,sorce", "(sorce): unknown field; did you mean source?"),
            ("kind,kind", "(kind): two columns have this name"),
            ("source,title", "(kind): this column is missing"),
            ("kind,title,title.en", "(title.en): this column conflicts with the column title"),
        ])
    func headers(header: String, reason: String) {
        let file = ReadFile("\(header)\ntopApp,x\n", as: .csv)
        #expect(file.lines == ["line 1 \(reason) [INVALID_RECORD]"])
    }

    private static let apt = """
        Package: hello
        Version: 2.10-3
        Maintainer: Santiago Vila <sanvila@debian.org>
        Description-en: example package based on GNU hello
         The GNU hello program produces a familiar greeting.
        Homepage: https://www.gnu.org/software/hello/
        Section: contrib/devel
        Size: 53080

        Package: hello
        Version: 2.10-3
        Architecture: i386

        Package: bare
        Version: 1

        """

    @Test("An apt file has a category for each section and a TopApp for each package")
    func packages() throws {
        let file = ReadFile(Self.apt, as: .apt)
        #expect(file.rejects == [])
        #expect(
            file.lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
                "1 category devel", "1 topApp hello", "14 category misc", "14 topApp bare",
            ])
        let hello = try #require(file.items.first?.record.content)
        #expect(hello.texts.map(\.title) == ["hello"] && hello.texts.map(\.subtitle) == ["example package based on GNU hello"])
        guard case .topApp(let app) = hello.details else { throw Unexpected() }
        #expect(app.appVersion == "2.10-3" && app.sizeBytes == 53080 && app.developer == "Santiago Vila")
        #expect(app.homepage == "https://www.gnu.org/software/hello/")
    }

    @Test("An invalid apt package is rejected, and the following ones are parsed")
    func strangePackages() {
        let bytes =
            Array("Version: 1\nSection: devel\n\nPackage: ".utf8) + [0xFF] + Array("\nVersion: 1\n\n".utf8)
            + Array("Package: long\nVersion: \(String(repeating: "1", count: 3_000))\n\n\n\nPackage: next\nVersion: 1\n".utf8)
        let file = ReadFile(bytes, as: .apt, limits: FileLimits(record: 2_000))
        #expect(
            file.rejects.map { "\($0.line) \($0.code.rawValue)" } == ["1 MISSING_KEY", "4 MISSING_KEY", "8 TOO_LARGE", "7 MISSING_KEY"])
        #expect(file.items.map(\.record.source) == ["next"])
    }

    private struct Unexpected: Error {}
}

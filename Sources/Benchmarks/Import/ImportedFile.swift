import Foundation

/// A catalog of TopApps as JSON Lines, the same each time, with a storefront and a category that they need.
enum ImportedFile {
    static func write(_ count: Int, to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
            throw BenchmarkFailure(reason: "\(path) cannot be written")
        }
        try file.write(contentsOf: Data(words.utf8))
        for first in stride(from: 0, to: count, by: 10_000) {
            try file.write(contentsOf: Data((first..<min(count, first + 10_000)).map(line).joined().utf8))
        }
        try file.close()
    }

    private static let words = """
        {"kind":"storefront","key":"us","currency":"USD","timeZone":"America/New_York","locales":["en"],"defaultLocale":"en"}
        {"kind":"category","key":"games","title":"Games"}

        """

    private static let adjectives = ["Quiet", "Bright", "Endless", "Tiny", "Golden", "Rapid", "Gentle", "Wild", "Hidden", "Merry"]
    private static let nouns = ["Harbor", "Forest", "Puzzle", "Garden", "Rocket", "Ledger", "Melody", "Canyon", "Kitchen", "Compass"]

    private static func line(_ number: Int) -> String {
        // A multiplication spreads neighbours, as names and ratings of neighbours are not alike.
        let mixed = number &* 2_654_435_761 & 0x7FFF_FFFF
        let title = "\(adjectives[mixed % 10]) \(nouns[mixed / 10 % 10]) \(number)"
        return """
            {"kind":"topApp","source":"package-number-\(number)","title":{"en":"\(title)"},"subtitle":{"en":"What it does for you, \(mixed % 5_000)"},\
            "categories":["games"],"rating":{"average":\(mixed % 5).\(mixed % 7),"count":\(mixed % 4_000)},"bundleID":"org.example.p\(number)",\
            "developer":"Developer \(mixed % 5_000)","appVersion":"1.\(mixed % 20).0","sizeBytes":\(mixed + 1),"platforms":["ios","ipados"],\
            "ageRating":"4+","releaseDate":"2024-03-05","image":{"width":1024,"height":1024,"color":"#112233",\
            "blurhash":"LEHV6nWB2yk8pyo0adR*.7kCMdnj","alt":"An icon"},"prices":{"us":{"amountMinor":\(mixed % 10 * 100),"currency":"USD"}}}

            """
    }
}

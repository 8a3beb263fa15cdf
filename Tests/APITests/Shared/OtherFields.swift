import TestSupport

/// Random sets of request fields on which no public response depends.
struct OtherFields {
    /// The spellings of `Accept-Encoding`, on which a public response does depend. An empty list omits the field.
    static let codings: [[String]] = [
        [], ["Accept-Encoding: br"], ["Accept-Encoding: gzip"], ["Accept-Encoding: gzip, deflate, br, zstd"], ["Accept-Encoding: identity"],
        ["Accept-Encoding: br;q=0.3, gzip;q=0.8"], ["Accept-Encoding: *"], ["Accept-Encoding: "],
    ]

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func chance() -> Bool { Bool.random(using: &random) }

    mutating func element<Element>(of array: [Element]) -> Element? { array.randomElement(using: &random) }

    /// Returns some of the fields, in any order, without those with these names.
    mutating func next(except excluded: [String]) -> [String] {
        let all = fields().filter { field in !excluded.contains { field.lowercased().hasPrefix("\($0):") } }
        return all.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    }

    private mutating func fields() -> [String] {
        let (number, version) = (random.next(), Int.random(in: 1...9, using: &random))
        let (width, height) = (Int.random(in: 0...1_400, using: &random), Int.random(in: 300...1_400, using: &random))
        func one(_ values: String...) -> String { values[Int(number % UInt64(values.count))] }
        return [
            "Vitrine-Client: "
                + one(
                    "platform=ios, app=\"\(version).0\", os=\"1\(version).4\", id=\"\(number)\", tags=(\"beta\")", "platform=android",
                    "id=\"\(number)\"", "nonsense =", ""),
            "Vitrine-Layout: "
                + one(
                    "version=1, width=\(width), height=\(height), capabilities=()", "version=1, capabilities=(\"effect.centerScale\")",
                    "version=\(version)"),
            "Accept-Language: " + one("es", "en", "de-AT, en;q=0.5", "ar;q=0.1", "*", "x-\(number)"),
            "Origin: " + one("https://shop.example", "https://\(number).example", "null"),
            "Accept: " + one("*/*", "application/json", "text/html"),
            "User-Agent: Vitrine/\(version) (\(number))", "X-Request-ID: \(number)", "Cookie: session=\(number)", "Cookie: theme=dark",
            "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Referer: https://shop.example/\(number)",
            "Authorization: Bearer \(number)", "Cache-Control: " + one("no-cache", "max-age=0", "only-if-cached"), "Pragma: no-cache",
            "If-None-Match: \"\(number)\"", "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT", "Range: bytes=0-\(width)",
            "X-Forwarded-For: 203.0.113.\(version)", "X-Forwarded-Proto: https", "X-Forwarded-Host: \(number).example",
            "Forwarded: for=203.0.113.\(version);proto=https", "DNT: 1", "Save-Data: on", "Sec-Fetch-Mode: " + one("cors", "navigate"),
            "Last-Event-ID: \(number)", "Prefer: return=minimal", "X-HTTP-Method-Override: POST", "X-\(number): \(number)",
        ]
    }
}

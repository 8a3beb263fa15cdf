import Host
import TestSupport
import Testing

/// Commands with what they print, as somebody in a terminal would see it; what depends on the day or the machine is blotted out.
struct Transcript {
    private let shop: CuratedShop
    private(set) var text = ""

    init(_ shop: CuratedShop) { self.shop = shop }

    /// Runs commands, each a line with words in quotation marks as a shell has them.
    mutating func run(_ lines: String...) throws {
        for line in lines {
            let result = try shop.run(words: Self.words(of: line))
            text += "$ vitrine \(line)\n\(result.output)"
            text += result.errors.split(separator: "\n").map { "! \($0)\n" }.joined()
            if result.status != .code(0) { text += "[\(result.status)]\n" }
        }
        blot()
    }

    private mutating func blot() {
        text = text.replacing(shop.dev.vitrine.path, with: "vitrine").replacing(shop.server, with: "http://127.0.0.1:8080")
        text = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z/, with: "2026-03-01T09:30:00Z")
        text = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}(?!T)/, with: "2026-03-01")
    }

    static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

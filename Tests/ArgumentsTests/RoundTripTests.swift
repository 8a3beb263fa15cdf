import Arguments
import TestSupport
import Testing

@Suite("A command line generated from values")
struct RoundTripTests {
    private struct Values: Equatable {
        var feed: String
        var rev: Int?
        var from: String?
        var wait: Bool
        var timeout: Duration
        var output: Site.Format
        var verbose: Bool
    }

    @Test("A command line in any spelling parses to the same values", arguments: Seeds.fixed(3))
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_000 {
            let values = values(&random)
            let arguments = words(values, &random)
            #expect(read(arguments) == values, "seed \(seed), words \(arguments)")
        }
    }

    private func values(_ random: inout SeededRandom) -> Values {
        Values(
            feed: text(&random), rev: Bool.random(using: &random) ? .random(in: 1...Int.max, using: &random) : nil,
            from: Bool.random(using: &random) ? text(&random) : nil, wait: .random(using: &random),
            timeout: .milliseconds(Int.random(in: 1...3_600_000, using: &random)),
            output: Site.Format.allCases.randomElement(using: &random) ?? .table,
            verbose: .random(using: &random))
    }

    private func text(_ random: inout SeededRandom) -> String {
        let pieces = ["a", "-", "--", "=", "today", " ", "\u{301}", "\0", "🙂", "'", "9", ":", "--rev", "-o"]
        return (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
    }

    /// Returns options in any order and spelling. Those of the root may come before the command, and an argument that looks like an
    /// option follows `--`.
    private func words(_ values: Values, _ random: inout SeededRandom) -> [String] {
        var root = [spell("output", "o", values.output.rawValue, &random)]
        if values.verbose { root.append([Bool.random(using: &random) ? "-v" : "--verbose"]) }
        var options = [spell("timeout", nil, ValueFormat.duration.write(values.timeout), &random)]
        if let rev = values.rev { options.append(spell("rev", nil, "\(rev)", &random)) }
        if let from = values.from { options.append(["--from=\(from)"]) }
        if !values.wait { options.append(["--no-wait"]) }
        let isBefore = Bool.random(using: &random)
        if !isBefore { options += root }
        options.shuffle(using: &random)
        let front = isBefore ? root.flatMap { $0 } : []
        let index = Int.random(in: 0...options.count, using: &random)
        if values.feed.utf8.first == UInt8(ascii: "-") {
            return front + ["publish"] + options.flatMap { $0 } + ["--", values.feed]
        }
        return front + ["publish"] + options[..<index].flatMap { $0 } + [values.feed] + options[index...].flatMap { $0 }
    }

    private func spell(_ name: String, _ letter: String?, _ text: String, _ random: inout SeededRandom) -> [String] {
        var spellings = [["--\(name)", text], ["--\(name)=\(text)"]]
        if let letter { spellings += [["-\(letter)", text], ["-\(letter)\(text)"], ["-\(letter)=\(text)"]] }
        return spellings.randomElement(using: &random) ?? []
    }

    private func read(_ arguments: [String]) -> Values? {
        guard case .run(_, let line) = Site.root.outcome(of: arguments) else { return nil }
        return Values(
            feed: line[Site.feedArgument], rev: line[Site.rev], from: line[Site.from], wait: line[Site.wait], timeout: line[Site.timeout],
            output: line[Site.output], verbose: line[Site.verbose])
    }
}

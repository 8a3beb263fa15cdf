import Settings
import TestSupport
import Testing

@Suite("Hostile sources of settings")
struct HostileSourcesTests {
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\"eventLoops\"", "\"listen\"", "\"timeouts\"", "\"idle\"", "\"limits\"", "\"bodyBytes\"", "1",
        "1e999",
        "-9223372036854775808", "99999999999999999999", "null", "true", "\"75s\"", "9223372036854775807d", "auto", "*:80", "unix:/x",
        "\u{301}", "\0",
        "\u{1B}[2J", "\u{202E}", "\n", "🙂", "%", "postgres://", "u:p@h", "?", "=", "&",
    ]

    @Test("Hostile sources never cause a trap or print control characters", arguments: Seeds.fixed(2))
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<250 {
            let given = given(&random)
            do throws(SettingsError) {
                let report = try given.report()
                #expect(isPrintable(report.table(width: 80)), "seed \(seed), \(given)")
            } catch {
                #expect(!error.issues.isEmpty, "seed \(seed), \(given)")
                #expect(isPrintable(error.text(commandPath: "vitrine")), "seed \(seed), \(given)")
            }
        }
    }

    @Test(
        "Sources of twenty kilobytes take no longer than reading them", .timeLimit(.minutes(1)),
        arguments: ["a", ",", "\u{301}", "@", "%41", "[", "{\"a\":", "9"])
    func long(unit: String) {
        let text = String(repeating: unit, count: 20_000 / unit.utf8.count)
        let variables = Dictionary(uniqueKeysWithValues: Settings.declarations.map { ($0.name.variable, text) })
        let issues = Given(variables: variables, files: [text: text]).issues
        #expect(!issues.isEmpty)
        #expect(issues.allSatisfy { $0.utf8.count < 2_000 })
    }

    private func given(_ random: inout SeededRandom) -> Given {
        var given = Given(files: ["config/vitrine.json": text(0...20, &random)])
        for declaration in Settings.declarations where Int.random(in: 0..<8, using: &random) == 0 {
            given.flags[declaration.name.flag] = text(0...4, &random)
        }
        for declaration in Settings.declarations where Int.random(in: 0..<8, using: &random) == 0 {
            given.variables[declaration.name.variable] = text(0...4, &random)
        }
        given.variables["VITRINE_" + text(1...2, &random)] = text(0...2, &random)
        given.variables["VITRINE_DATABASE_URL_FILE"] = Bool.random(using: &random) ? "f" : nil
        given.files["f"] = text(0...4, &random)
        return given
    }

    private func text(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
        (0..<Int.random(in: count, using: &random)).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
    }

    private func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory) }
    }
}

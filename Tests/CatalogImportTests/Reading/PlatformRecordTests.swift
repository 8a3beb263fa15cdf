import JSON
import TestSupport
import Testing

@testable import CatalogImport

@Suite("The records of platforms and rating schemes")
struct PlatformRecordTests {
    private func record(_ text: String) throws -> VocabularyRecord { try VocabularyRecord(parsing: Array(text.utf8)) }

    @Test("A platform runs itself first, and its record is parsed as it was written")
    func platform() throws {
        for (runs, expected) in [
            ("", ["tv"]), (#","runs":[]"#, ["tv"]), (#","runs":["tv"]"#, ["tv"]), (#","runs":["z","tv","a"]"#, ["tv", "a", "z"]),
        ] {
            let record = try record(#"{"kind":"platform","key":"tv"\#(runs)}"#)
            #expect(record == .platform(PlatformRecord(key: "tv", runs: expected)))
            let again = try VocabularyRecord(parsing: record.json())
            #expect(again == record && record.name?.path == "platforms/tv" && record.name?.turn == "platforms")
            guard case .platform(let platform) = again else { continue }
            #expect(platform.runs == expected && platform.isServed)
        }
    }

    @Test("The issues of a platform have the pointers of the record as it was written, whatever its order")
    func pointers() throws {
        let others = [PlatformRecord(key: "web"), PlatformRecord(key: "box", runs: ["tv"])]
        for (runs, expected) in [
            (#"["zeta","web","alpha"]"#, ["/runs/0", "/runs/2"]), (#"["web","tv","alpha"]"#, ["/runs/2"]), (#"["box"]"#, ["/runs/0"]),
        ] {
            guard case .platform(let platform) = try record(#"{"kind":"platform","key":"tv","runs":\#(runs)}"#) else {
                Issue.record("another kind")
                continue
            }
            #expect(platform.issues(among: others).map(\.pointer.description) == expected, "\(runs)")
        }
    }

    @Test("The labels of a rating scheme are sorted by age, and its record is parsed as it was written")
    func ratingScheme() throws {
        let record = try record(
            #"{"kind":"ratingScheme","key":"x","labels":[{"label":"B","minimumAge":9},{"label":"A","minimumAge":0}]}"#)
        guard case .ratingScheme(let scheme) = record else {
            Issue.record("another kind")
            return
        }
        #expect(scheme.labels.map(\.label) == ["A", "B"] && scheme.labels.map(\.minimumAge) == [0, 9])
        #expect(try VocabularyRecord(parsing: record.json()) == record && record.name?.path == "rating-schemes/x")
    }

    @Test("Records of a catalog file are parsed as before, and a catalog file has no platforms and rating schemes")
    func others() throws {
        let category = #"{"kind":"category","key":"x","title":"X"}"#
        #expect(try record(category) == .catalog(try CatalogRecord(parsing: Array(category.utf8))))
        #expect(try record(Records.topApp).name == nil)
        for text in ["[]", "1", "{}", #"{"kind":"none"}"#, #"{"kind":1}"#, #"{"kind":"platform"}"#] {
            #expect(throws: JSONError.self, "\(text)") { try record(text) }
        }
        for text in [#"{"kind":"platform","key":"tv"}"#, #"{"kind":"ratingScheme","key":"x","labels":[{"label":"A","minimumAge":0}]}"#] {
            let file = ReadFile(text)
            #expect(file.rejects.count == 1 && file.rejects.first?.location == .pointer("/kind"), "\(file.rejects)")
        }
    }

    @Test("In random registries, a record is refused if and only if it runs an unknown platform or closes a cycle", arguments: 1...4)
    func cycles(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let keys = ["a", "b", "c", "d", "e", "f"]
        var accepted: [PlatformRecord] = []
        var (refused, cycles) = (0, 0)
        for _ in 0..<400 {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            let runs = keys.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
            let record = PlatformRecord(key: key, runs: runs)
            let issues = record.issues(among: accepted)
            let next = accepted.filter { $0.key != key } + [record]
            let known = Set(next.map(\.key))
            let wrong = record.runs.dropFirst().filter { platform in
                !known.contains(platform) || Self.reached(from: platform, in: next).contains(key)
            }
            #expect(issues.count == wrong.count, "seed \(seed): \(record) in \(accepted)")
            #expect(issues.map(\.pointer.description) == wrong.map { "/runs/\(runs.firstIndex(of: $0) ?? 0)" })
            if wrong.isEmpty {
                accepted = next
            } else {
                refused += 1
                cycles += issues.count { $0.reason.contains("so \(key) cannot run") }
            }
        }
        #expect(accepted.count == keys.count && refused > 20 && cycles > 10, "seed \(seed): \(refused) \(cycles)")
    }

    /// Returns all platforms that a platform runs, also through others.
    private static func reached(from start: String, in platforms: [PlatformRecord]) -> Set<String> {
        var reached: Set<String> = [start]
        for _ in platforms { for platform in platforms where reached.contains(platform.key) { reached.formUnion(platform.runs) } }
        return reached
    }
}

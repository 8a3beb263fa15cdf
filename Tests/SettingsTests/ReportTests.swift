import JSON
import Settings
import TestSupport
import Testing

@Suite("The report of settings")
struct ReportTests {
    private let given = Given(
        flags: ["event-loops": "4"],
        variables: [
            "VITRINE_DATABASE_URL": "postgresql://vitrine:hunter2@db.example:5432/vitrine?sslmode=require", "VITRINE_LOG_FORMAT": "json",
        ],
        files: [
            "config/vitrine.json":
                "{\n  \"listen\": [\"127.0.0.1:8080\", \"unix:/run/vitrine.sock\"],\n  \"timeouts\": {\"idle\": \"1m\"}\n}\n"
        ])

    @Test("The table has the requested width", arguments: [nil, 60, 80, 120])
    func table(width: Int?) throws {
        let text = try given.report().table(width: width)
        #expect(try Golden("settings-\(width.map { "\($0)" } ?? "full").txt").text(recording: text) == text)
        if let width { #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }) }
    }

    @Test("The table survives any width", arguments: [Int.min, -1, 0, 1, 39, 41, Int.max])
    func widths(width: Int) throws {
        #expect(try given.report().table(width: width).split(separator: "\n").count == Settings.declarations.count + 1)
    }

    @Test("The report is printed as JSON")
    func json() throws {
        let text = String(decoding: try given.report().json(.pretty) + [0x0A], as: UTF8.self)
        #expect(try Golden("settings.json").text(recording: text) == text)
    }

    @Test("The report has one line per declaration")
    func completeness() throws {
        #expect(try Given().report().entries.map(\.name) == Settings.declarations.map(\.name))
    }
}

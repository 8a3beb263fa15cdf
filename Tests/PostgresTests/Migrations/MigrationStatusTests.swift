import JSON
import Postgres
import TestSupport
import Testing

@Suite("The status of a database's migrations")
struct MigrationStatusTests {
    @Test("The status is printed as a table and as JSON", arguments: [0, 2, 3])
    func applied(count: Int) throws {
        try expectGoldens("status-\(count)", of: try Site.status(of: Site.files.prefix(count)))
    }

    @Test("The table and the JSON report the conflicts of a history", arguments: [History.everything, .breaking])
    func refused(history: History) throws {
        try expectGoldens("status-\(history.rawValue)", of: try Site.status(of: history.database))
    }

    private func expectGoldens(_ name: String, of status: MigrationStatus) throws {
        let table = status.table(width: nil)
        #expect(try Golden("\(name).txt").text(recording: table) == table)
        let json = String(decoding: try status.json(.pretty), as: UTF8.self) + "\n"
        #expect(try Golden("\(name).json").text(recording: json) == json)
    }

    @Test("The table fits the terminal and contains no control characters")
    func width() throws {
        let recorded = try Site.recorded([Site.file("0001_\(String(repeating: "long_", count: 30))\u{1B}[31m.sql", "")])
        let status = MigrationStatus(try Site.set(), recorded: recorded)
        let lines = MigrationStatus(try Site.set([]), recorded: recorded).table(width: 72).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 72 } && lines.last?.contains("…") == true)
        #expect(!status.table(width: nil).contains("\u{1B}"))
        #expect(!MigrationStatus(try Site.set([]), recorded: recorded).table(width: nil).contains("\u{1B}"))
    }
}
